import type { AnyEvent } from "../../protocol/event.ts";
import { listArgumentPatterns } from "../../protocol/match.ts";
import { shellCall } from "../../protocol/shell-call.ts";
import { commands, mentions } from "../../shell/index.ts";
import { argumentPattern, patternWords } from "../../shell/words/pattern.ts";

/**
 * Returns whether any simple command in the shell command matches one of the matcher's argument patterns.
 * @throws Error if the shell command is too long or too deeply nested to parse
 */
export function matchesArguments(matcher: string, event: AnyEvent): boolean {
  const call = shellCall(event);
  if (!call) return false;
  const { command } = call.input;
  const mayMatch = (pattern: string) => {
    const words = patternWords(pattern);
    return words.length === 0 || mentions(command, words);
  };
  // Check for the patterns' words first. It's cheap, and most commands contain none of them.
  const tests = listArgumentPatterns(matcher, call).filter(mayMatch).map(argumentPattern);
  return tests.length > 0 && commands(call).some((simple) => tests.some((test) => test(simple)));
}
