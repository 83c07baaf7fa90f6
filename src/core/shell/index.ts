import type { AnyEvent } from "../event.ts";

export interface Command {
  program: string;
  args: readonly string[];
  words: readonly string[];
}

/** Placeholder until the parser is merged: reads no line. */
export function commands(_event: AnyEvent): readonly Command[] {
  throw new Error("the shell line can't be read yet");
}

export function argumentPattern(_pattern: string): (command: Command) => boolean {
  return () => false;
}
