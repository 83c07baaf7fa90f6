import * as v from "valibot";
import { policyText, text } from "../../wire.ts";

/** Texts that any event may carry [shipped 0.169.0: the binary's own JSON Schemas]. */
export const COMMON = ["session_id", "transcript_path", "permission_mode", "model", "agent_id", "agent_type"] as const;

/** Tools without a unified name, whatever a model adds to their input. */
export const OTHERS = ["multi_agent_v1wait_agent", "update_plan"];

export const Call = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    tool_use_id: text(),
  });

/** Inputs of the tools that hooks see [seen 0.169.0, 2026-11-21]. */
export const inputs = {
  Bash: () => v.object({ command: v.string(), description: text() }),
  apply_patch: () => v.object({ command: v.string() }),
  view_image: () => v.object({ path: v.string() }),
  /** `items`, in the place of a message, are blocks of text, images and files [unverified]. */
  spawn_agent: () => v.object({ message: policyText(), items: v.nullish(v.array(v.looseObject({}))), agent_type: policyText() }),
};
