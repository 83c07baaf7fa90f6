import { type AnyEvent, isCall } from "../core/event.ts";
import { argumentsFor } from "../core/match.ts";
import { argumentPattern, commands, mentions, patternWords } from "../core/shell/index.ts";

/**
 * Whether one simple command of the call's shell line fits an argument pattern of the matcher.
 * @throws Error when the line is too long or too deep to be read.
 */
export function fitsArguments(matcher: string, event: AnyEvent): boolean {
  if (!isCall(event) || event.tool !== "Bash") return false;
  const { command } = event.input;
  const mayFit = (pattern: string) => {
    const words = patternWords(pattern);
    return words.length === 0 || mentions(command, words);
  };
  // Most lines need no closer look.
  const tests = argumentsFor(matcher, event).filter(mayFit).map(argumentPattern);
  return tests.length > 0 && commands(event).some((simple) => tests.some((test) => test(simple)));
}
