import type { HookDescriptor } from "../../protocol/hook.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Mode, ModePolicy } from "../../policy/modes.ts";
import type { HookOutcome } from "./outcome.ts";

/** The mode of a hook; what guards the bridge's own files is always enforced. */
const findHookMode = ({ name, enforced }: HookDescriptor, modes: ModePolicy, rule?: string): Mode =>
  enforced ? "enforce" : modes.find(name, rule);

/** An outcome whose hook itself withholds its denial or question: the call passes, and the user and the model are told. */
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

/** An outcome as the modes leave it. Context for the model stays, and approvals that rewrite nothing. */
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

/** What a hook would have done, for those whom mode `warn` tells of it. */
function describeWithheld(hook: string, { decision, reason, rule }: IHookResponse): string {
  const what =
    decision === "deny" ? "will deny this" : decision === "ask" ? "will ask the user about this" : "will change this";
  const why = reason?.trim() ? `: ${reason.trim()}` : "";
  return `the hook "${hook}" ${what} once it enforces${why}${why && rule !== undefined ? ` [bridge-hooks ${rule}]` : ""}`;
}
