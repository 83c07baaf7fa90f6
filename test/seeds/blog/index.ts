import type { SeedDocument } from "../claim.ts";
import { claude } from "./claude.ts";
import { cursor } from "./cursor.ts";
import { openclaw } from "./openclaw.ts";
import { opencode } from "./opencode.ts";
import { about, comparison, design, mapping } from "./overview.ts";

/** Statements from a blog about four hosts, some about earlier releases. */
export const blog: SeedDocument = {
  title: "A comparison of four hosts",
  about: "Blog that compares Claude Code, Cursor, OpenCode and OpenClaw",
  sections: [about, ...[...claude, ...cursor, ...opencode, ...openclaw], ...[mapping, comparison, design]],
};
