import type { Command } from "./command.ts";

/** Placeholder until the real one is merged. */
export const argumentPattern =
  (text: string) =>
  (command: Command): boolean =>
    new Bun.Glob(text).match([command.program, ...command.args].join(" "));
