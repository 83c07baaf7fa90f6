import type { SeedDocument } from "./claim.ts";
import { decisions, prompts, regression, texts } from "./matrix/answers.ts";
import { events, exit, resolution } from "./matrix/calls.ts";

export const matrix: SeedDocument = {
  title: "Capability matrix",
  about: "Contract for events, fields, exit codes and host resolution in Claude Code, Cursor and Codex",
  sections: [events, decisions, texts, prompts, regression, exit, resolution],
};
