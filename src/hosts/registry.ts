import type { RegisteredHost } from "../protocol/host/host.ts";
import { claude, codex, copilot, cursor, gemini, grok, openclaw, opencode } from "./entries.ts";

/** The registry: one line per host. Every call reads it to detect its host and loads only that one. */
export const hostRegistry: readonly RegisteredHost[] = [
  { ...claude, loadHost: async () => (await import("./claude/index.ts")).claude },
  { ...cursor, loadHost: async () => (await import("./cursor/index.ts")).cursor },
  { ...codex, loadHost: async () => (await import("./codex/index.ts")).codex },
  { ...gemini, loadHost: async () => (await import("./gemini/index.ts")).gemini },
  { ...copilot, loadHost: async () => (await import("./copilot/index.ts")).copilot },
  { ...grok, loadHost: async () => (await import("./grok/index.ts")).grok },
  { ...opencode, loadHost: async () => (await import("./opencode/index.ts")).opencode },
  { ...openclaw, loadHost: async () => (await import("./openclaw/index.ts")).openclaw },
];
