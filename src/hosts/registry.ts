// Generated from the host directories by `npm run registry`
import type { Host, HostIdentity, RegisteredHost } from "../protocol/host/host.ts";
import {
  auggie,
  claude,
  cline,
  codex,
  copilot,
  crush,
  cursor,
  droid,
  gemini,
  grok,
  kimi,
  openclaw,
  opencode,
  pi,
  qwen,
} from "./entries.ts";

/** Registers a host. Its module is loaded on first use and then cached. */
function registerHost(identity: HostIdentity, load: () => Promise<Host>): RegisteredHost {
  let host: Host | undefined;
  return { ...identity, loadHost: async () => (host ??= await load()) };
}

/** Every call detects its host with this registry and then loads only that host's module. */
export const hostRegistry: readonly RegisteredHost[] = [
  registerHost(claude, async () => (await import("./claude/index.ts")).claude),
  registerHost(cursor, async () => (await import("./cursor/index.ts")).cursor),
  registerHost(codex, async () => (await import("./codex/index.ts")).codex),
  registerHost(gemini, async () => (await import("./gemini/index.ts")).gemini),
  registerHost(copilot, async () => (await import("./copilot/index.ts")).copilot),
  registerHost(grok, async () => (await import("./grok/index.ts")).grok),
  registerHost(opencode, async () => (await import("./opencode/index.ts")).opencode),
  registerHost(openclaw, async () => (await import("./openclaw/index.ts")).openclaw),
  registerHost(pi, async () => (await import("./pi/index.ts")).pi),
  registerHost(auggie, async () => (await import("./auggie/index.ts")).auggie),
  registerHost(crush, async () => (await import("./crush/index.ts")).crush),
  registerHost(droid, async () => (await import("./droid/index.ts")).droid),
  registerHost(kimi, async () => (await import("./kimi/index.ts")).kimi),
  registerHost(qwen, async () => (await import("./qwen/index.ts")).qwen),
  registerHost(cline, async () => (await import("./cline/index.ts")).cline),
];
