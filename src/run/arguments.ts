import type { AnyEvent } from "../core/event.ts";
import { argumentsFor } from "../core/match.ts";
import { commands } from "../core/shell/index.ts";
import { argumentPattern } from "../core/shell/pattern.ts";

/**
 * Whether one simple command of the call's shell line fits an argument pattern of the matcher.
 * @throws Error when the line is too long or too deep to be read.
 */
export function fitsArguments(matcher: string, event: AnyEvent): boolean {
  const tests = argumentsFor(matcher, event).map(argumentPattern);
  return commands(event).some((command) => tests.some((test) => test(command)));
}
