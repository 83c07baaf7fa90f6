// Generated from the host directories by `npm run registry`

// Host identities, loaded on every call. A host's other files import its identity from here instead of from host.ts, so
// that all identities stay in a single chunk.

export { hostIdentity as auggie } from "./auggie/host.ts";
export { hostIdentity as claude } from "./claude/host.ts";
export { hostIdentity as cline } from "./cline/host.ts";
export { hostIdentity as codex } from "./codex/host.ts";
export { hostIdentity as copilot } from "./copilot/host.ts";
export { hostIdentity as crush } from "./crush/host.ts";
export { hostIdentity as cursor } from "./cursor/host.ts";
export { hostIdentity as droid } from "./droid/host.ts";
export { hostIdentity as gemini } from "./gemini/host.ts";
export { hostIdentity as grok } from "./grok/host.ts";
export { hostIdentity as kimi } from "./kimi/host.ts";
export { hostIdentity as openclaw } from "./openclaw/host.ts";
export { hostIdentity as opencode } from "./opencode/host.ts";
export { hostIdentity as pi } from "./pi/host.ts";
export { hostIdentity as qwen } from "./qwen/host.ts";
