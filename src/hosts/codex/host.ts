import type { HostEntry } from "../../protocol/host/host.ts";
import { guarded } from "./guarded.ts";

/** Codex as every call knows it. */
export const entry: HostEntry = {
  id: "codex",
  name: "Codex",
  options: {
    codexAskFallback: {
      values: ["deny", "ask"],
      meaning: 'what it gets for "ask": a denial, or nothing (its own approval applies)',
    },
  },
  signs: [{ mark: '"turn_id"', all: ["turn_id", "model"], test: ({ prompt_id }) => prompt_id === undefined }],
  hints: async () => (await import("./hints.ts")).hints,
  guarded,
  load: async () => (await import("./index.ts")).codex,
};
