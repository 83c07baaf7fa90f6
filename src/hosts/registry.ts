import type { HostEntry } from "../protocol/host/host.ts";
import { entry as claude } from "./claude/host.ts";
import { entry as codex } from "./codex/host.ts";
import { entry as copilot } from "./copilot/host.ts";
import { entry as cursor } from "./cursor/host.ts";
import { entry as gemini } from "./gemini/host.ts";
import { entry as grok } from "./grok/host.ts";
import { entry as openclaw } from "./openclaw/host.ts";
import { entry as opencode } from "./opencode/host.ts";

/** The registry: one line per host. Every call looks through it, and loads the one whose call it is. */
export const registry: readonly HostEntry[] = [claude, cursor, codex, gemini, copilot, grok, opencode, openclaw];
// The rest of a host takes its entry from here: so all of them stay in the one chunk that every call loads.
export { claude, codex, copilot, cursor, gemini, grok, openclaw, opencode };
