// What every call knows of each host. The rest of a host takes its facts from this file, and not from its own host.ts: so all of
// them stay in the one chunk that every call loads.
export { hostIdentity as claude } from "./claude/host.ts";
export { hostIdentity as codex } from "./codex/host.ts";
export { hostIdentity as copilot } from "./copilot/host.ts";
export { hostIdentity as cursor } from "./cursor/host.ts";
export { hostIdentity as gemini } from "./gemini/host.ts";
export { hostIdentity as grok } from "./grok/host.ts";
export { hostIdentity as openclaw } from "./openclaw/host.ts";
export { hostIdentity as opencode } from "./opencode/host.ts";
