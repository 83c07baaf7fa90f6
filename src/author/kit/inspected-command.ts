import type { Command } from "../../shell/command.ts";

/** The parts of a command that the checks in this directory inspect. */
export type InspectedCommand = Pick<Command, "program" | "args" | "env" | "words" | "redirects" | "cwd"> &
  Partial<Pick<Command, "dynamic" | "more" | "via">>;
