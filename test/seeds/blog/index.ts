import type { SeedDocument } from "../claim.ts";
import { about } from "./about.ts";
import * as claude from "./claude/config.ts";
import { events as claudeEvents } from "./claude/events.ts";
import { matchers as claudeMatchers } from "./claude/matchers.ts";
import { protocol as claudeProtocol } from "./claude/protocol.ts";
import { comparison } from "./comparison.ts";
import { differences as cursorDifferences } from "./cursor/differences.ts";
import { events as cursorEvents } from "./cursor/events.ts";
import * as cursor from "./cursor/protocol.ts";
import { design } from "./design.ts";
import { mapping } from "./mapping.ts";
import { config as openClawConfig } from "./openclaw/config.ts";
import { lifecycle as openClawLifecycle } from "./openclaw/lifecycle.ts";
import { plugin as openClawPlugin } from "./openclaw/plugin.ts";
import { config as openCodeConfig } from "./opencode/config.ts";
import { events as openCodeEvents } from "./opencode/events.ts";
import { inProcess } from "./opencode/process.ts";

/** What a blog says about four hosts, some of it about earlier releases. */
export const blog: SeedDocument = {
  title: "A comparison of four hosts",
  about: "A blog's comparison of how hooks work in Claude Code, Cursor, OpenCode and OpenClaw.",
  sections: [
    about,
    ...[claude.config, claudeProtocol, claude.handlers, claudeEvents, claudeMatchers],
    ...[cursor.config, cursor.protocol, cursorEvents, cursorDifferences],
    ...[openCodeConfig, openCodeEvents, inProcess],
    ...[openClawConfig, openClawLifecycle, openClawPlugin],
    ...[mapping, comparison, design],
  ],
};
