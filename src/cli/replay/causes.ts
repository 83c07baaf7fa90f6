import type * as z from "zod";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { findMatchingHooks } from "../../call/select.ts";
import type { AskedHookReport } from "../try/report.ts";
import type { CauseSchema } from "./report.ts";

export type Cause = z.infer<typeof CauseSchema>;

/** The hooks that deny or ask, with the rules behind it. */
export const listCauses = (hooks: readonly AskedHookReport[]): Cause[] =>
  hooks.flatMap(({ name, response: { decision, rule, subject } }) =>
    decision === "deny" || decision === "ask"
      ? [{ hook: name, decision, ...(rule !== undefined && { rule }), ...(subject !== undefined && { subject }) }]
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
