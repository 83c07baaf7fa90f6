import type { HostEntry } from "../../protocol/host/host.ts";
import { guarded } from "./guarded.ts";

/** Cursor as every call knows it. */
export const entry: HostEntry = {
  id: "cursor",
  name: "Cursor",
  options: {
    cursorAskFallback: {
      values: ["deny", "ask"],
      meaning: 'what it gets for "ask" where it would run the call unasked',
    },
    cursorDeny: {
      values: ["json", "exit"],
      meaning: "deny by the document with exit code 0, or by exit code 2 as well: Cursor then shows the raw document",
    },
  },
  signs: [
    { mark: '"cursor_version"', all: ["cursor_version"] },
    { mark: '"conversation_id" and "generation_id"', marks: 2, all: ["conversation_id", "generation_id"] },
  ],
  hints: async () => (await import("./hints.ts")).hints,
  guarded,
  load: async () => (await import("./index.ts")).cursor,
};
