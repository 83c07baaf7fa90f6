import type { SeedDocument } from "./claim.ts";
import { decisions } from "./matrix/decisions.ts";
import { events } from "./matrix/events.ts";
import { exit, resolution } from "./matrix/exit.ts";
import { prompts, regression } from "./matrix/prompts.ts";
import { texts } from "./matrix/texts.ts";

/** The contract. */
export const matrix: SeedDocument = {
  title: "Capability matrix",
  about:
    "The contract: unified events, response fields, exit codes and host resolution for Claude Code, Cursor and Codex.",
  sections: [events, decisions, texts, prompts, regression, exit, resolution],
};
