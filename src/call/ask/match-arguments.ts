import type { AnyEvent } from "../../protocol/event.ts";
import { listArgumentPatterns } from "../../protocol/match.ts";
import { shellCall } from "../../protocol/shell-call.ts";
import { commands, mentions } from "../../shell/index.ts";
import { argumentPattern, patternWords } from "../../shell/words/pattern.ts";

/**
 * Returns whether any simple command in the call's shell command matches an argument pattern of the matcher.
 * @throws Error if the shell command is too long or too deeply nested to parse.
 */
export function matchesArguments(matcher: string, event: AnyEvent): boolean {
  const call = shellCall(event);
  if (!call) return false;
  const { command } = call.input;
  const mayMatch = (pattern: string) => {
    const words = patternWords(pattern);
    return words.length === 0 || mentions(command, words);
  };
  // Run a cheap filter first, because most commands don't mention any word of the patterns.
  const tests = listArgumentPatterns(matcher, call).filter(mayMatch).map(argumentPattern);
  return tests.length > 0 && commands(call).some((simple) => tests.some((test) => test(simple)));
}
