import type { HostEntry } from "../../protocol/host/host.ts";
import { guarded } from "./guarded.ts";

/** Claude Code as every call knows it. */
export const entry: HostEntry = {
  id: "claude",
  name: "Claude Code",
  options: {},
  signs: [
    { mark: '"prompt_id"', all: ["prompt_id"] },
    // The environment is inherited by other hosts, so it counts only where it agrees with the payload.
    {
      mark: "the session of CLAUDE_CODE_SESSION_ID",
      marks: 2,
      all: ["session_id"],
      test: ({ session_id }, env) => env.CLAUDECODE === "1" && env.CLAUDE_CODE_SESSION_ID === session_id,
    },
  ],
  hints: async () => (await import("./hints.ts")).hints,
  guarded,
  load: async () => (await import("./index.ts")).claude,
};
