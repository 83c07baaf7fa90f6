// Generated from the folders: npm run registry
import type { Host, HostIdentity, RegisteredHost } from "../protocol/host/host.ts";
import { claude, codex, copilot, cursor, gemini, grok, openclaw, opencode } from "./entries.ts";

/** A host that is loaded when a call needs it: once, since an import takes time again. */
function registerHost(identity: HostIdentity, load: () => Promise<Host>): RegisteredHost {
  let host: Host | undefined;
  return { ...identity, loadHost: async () => (host ??= await load()) };
}

/** Every call reads the registry to detect its host and loads only that one. */
export const hostRegistry: readonly RegisteredHost[] = [
  registerHost(claude, async () => (await import("./claude/index.ts")).claude),
  registerHost(cursor, async () => (await import("./cursor/index.ts")).cursor),
  registerHost(codex, async () => (await import("./codex/index.ts")).codex),
  registerHost(gemini, async () => (await import("./gemini/index.ts")).gemini),
  registerHost(copilot, async () => (await import("./copilot/index.ts")).copilot),
  registerHost(grok, async () => (await import("./grok/index.ts")).grok),
  registerHost(opencode, async () => (await import("./opencode/index.ts")).opencode),
  registerHost(openclaw, async () => (await import("./openclaw/index.ts")).openclaw),
];
