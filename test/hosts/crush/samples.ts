import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  PreToolUse: "written-from-docs-2026-11-29/PreToolUse-bash.json",
};
