import type { HostEntry } from "../protocol/host/host.ts";
import { claude, codex, copilot, cursor, gemini, grok, openclaw, opencode } from "./entries.ts";

/** The registry: one line per host. Every call looks through it, and loads the one whose call it is. */
export const registry: readonly HostEntry[] = [
  { ...claude, load: async () => (await import("./claude/index.ts")).claude },
  { ...cursor, load: async () => (await import("./cursor/index.ts")).cursor },
  { ...codex, load: async () => (await import("./codex/index.ts")).codex },
  { ...gemini, load: async () => (await import("./gemini/index.ts")).gemini },
  { ...copilot, load: async () => (await import("./copilot/index.ts")).copilot },
  { ...grok, load: async () => (await import("./grok/index.ts")).grok },
  { ...opencode, load: async () => (await import("./opencode/index.ts")).opencode },
  { ...openclaw, load: async () => (await import("./openclaw/index.ts")).openclaw },
];
