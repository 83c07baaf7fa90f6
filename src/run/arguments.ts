import type { AnyEvent } from "../protocol/event.ts";
import { listArgumentPatterns } from "../protocol/match.ts";
import { argumentPattern, commands, mentions, patternWords, shellCall } from "../shell/index.ts";

/**
 * Whether one simple command of the call's shell line fits an argument pattern of the matcher.
 * @throws Error when the line is too long or too deep to be read.
 */
export function fitsArguments(matcher: string, event: AnyEvent): boolean {
  const call = shellCall(event);
  if (!call) return false;
  const { command } = call.input;
  const mayFit = (pattern: string) => {
    const words = patternWords(pattern);
    return words.length === 0 || mentions(command, words);
  };
  // Most lines need no closer look.
  const tests = listArgumentPatterns(matcher, call).filter(mayFit).map(argumentPattern);
  return tests.length > 0 && commands(call).some((simple) => tests.some((test) => test(simple)));
}
