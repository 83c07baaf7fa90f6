import type * as z from "zod";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { findMatchingHooks } from "../../call/select.ts";
import type { AskedHookReport } from "../try/report.ts";
import { formatPassing, listVerdicts } from "../try/verdict.ts";
import type { CauseSchema } from "./report.ts";

export type Cause = z.infer<typeof CauseSchema>;

/** The hooks that deny, ask or warn, or would but for a mode, with the rules behind it. */
export const listCauses = (hooks: readonly AskedHookReport[]): Cause[] =>
  listVerdicts(hooks).flatMap(({ decision, reason: _, withheld, ...verdict }) =>
    decision === "deny" || decision === "ask" || decision === "warn"
      ? [{ ...verdict, decision, ...(withheld && { passes: formatPassing(withheld) }) }]
      : [],
  );

/** The hooks among those that were not asked that want an event. */
export const listUnknown = (unasked: readonly HookDescriptor[], event: AnyEvent): string[] =>
  findMatchingHooks(unasked, event).map(({ name }) => name);

/** Separates the hooks that can be asked about calls of the past: asking them changes nothing. */
export const separatePureHooks = (
  entries: readonly HookDescriptor[],
): { pure: readonly HookDescriptor[]; others: readonly HookDescriptor[] } => ({
  pure: entries.filter(({ pure }) => pure === true),
  others: entries.filter(({ pure }) => pure !== true),
});
