import type { HostEntry } from "../../protocol/host/host.ts";
import { guarded } from "./guarded.ts";

// Nothing in this folder was seen in a run: what the documentation does not say [docs https://docs.x.ai/build/features/hooks] follows
// reports of people who use it, and is unverified.

/** Grok Build as every call knows it. */
export const entry: HostEntry = {
  id: "grok",
  name: "Grok Build",
  options: {},
  signs: [
    { mark: '"hookEventName" and "workspaceRoot"', marks: 2, all: ["hookEventName", "workspaceRoot"] },
    // Copilot has "toolArgs" there, but for approvals, and milliseconds.
    {
      mark: '"sessionId" and "toolInput"',
      marks: 2,
      all: ["sessionId", "toolName", "toolInput"],
      test: ({ timestamp }) => typeof timestamp !== "number",
    },
    // Copilot and VS Code say the time.
    {
      mark: '"hookEventName" without a "timestamp"',
      marks: 2,
      all: ["hookEventName", "sessionId"],
      test: ({ timestamp }) => timestamp === undefined,
    },
    // The environment is inherited by other hosts, so it counts only where it agrees with the payload.
    {
      mark: "the session of GROK_SESSION_ID",
      marks: 2,
      test: ({ sessionId, session_id = sessionId }, env) =>
        session_id !== undefined && env.GROK_SESSION_ID === session_id,
    },
  ],
  hints: async () => (await import("./hints.ts")).hints,
  guarded,
  load: async () => (await import("./index.ts")).grok,
};
