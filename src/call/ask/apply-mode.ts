import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Mode, ModePolicy } from "../../policy/modes.ts";
import type { HookOutcome } from "./outcome.ts";

/** Returns a hook's mode. Hooks that protect the bridge's own files are always enforced. */
const findHookMode = ({ name, enforced }: HookDescriptor, modes: ModePolicy, rule?: string): Mode =>
  enforced ? "enforce" : modes.find(name, rule);

/**
 * Withholds the denial or question of a hook that only warns. The call runs, and the user and the model see the
 * warning.
 */
export function withholdWarning(outcome: HookOutcome): HookOutcome {
  const { additional_context, reason = "", rule } = outcome.response;
  const { mode: _, ...response } = outcome.response;
  const warning = `bridge-hooks: ${reason.trim()}${rule === undefined ? "" : ` [bridge-hooks ${rule}]`}`;
  const context = [additional_context, warning].filter((text) => text !== undefined).join("\n\n");
  return {
    ...outcome,
    response: { additional_context: context, user_message: warning },
    withheld: { mode: "warn", isWarning: true, response },
  };
}

/** Applies the modes to an outcome. Context for the model is kept, and so are approvals that don't change the input. */
export function applyMode(outcome: HookOutcome, modes: ModePolicy): HookOutcome {
  const { entry, response, failure, withheld } = outcome;
  const mode = findHookMode(entry, modes, withheld?.response?.rule ?? response.rule);
  if (withheld) return mode === "observe" ? { ...outcome, response: {}, withheld: { ...withheld, mode } } : outcome;
  if (mode === "enforce") return outcome;
  if (failure !== undefined) return { ...outcome, withheld: { mode, failure } };
  const { decision, modified_input, modified_output, additional_context } = response;
  const isWithheld = decision === "deny" || decision === "ask" || modified_input || modified_output !== undefined;
  if (!isWithheld) return outcome;
  const warning = mode === "warn" ? `bridge-hooks: ${describeWithheld(entry.name, response)}` : undefined;
  const context = [additional_context, warning].filter((text) => text !== undefined).join("\n\n");
  return {
    ...outcome,
    response: {
      ...(context && { additional_context: context }),
      ...(warning !== undefined && { user_message: warning }),
    },
    withheld: { mode, response },
  };
}

/** Describes what a hook would have done. Mode `warn` shows this description to the user and the model. */
function describeWithheld(hook: string, { decision, reason, rule }: IHookResponse): string {
  const effect =
    decision === "deny" ? "will deny this" : decision === "ask" ? "will ask the user about this" : "will change this";
  const suffix = reason?.trim() ? `: ${reason.trim()}` : "";
  return `the hook "${hook}" ${effect} once it is enforced${suffix}${suffix && rule !== undefined ? ` [bridge-hooks ${rule}]` : ""}`;
}
