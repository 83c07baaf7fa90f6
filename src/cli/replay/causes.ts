import type * as z from "zod";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { findMatchingHooks } from "../../call/select.ts";
import type { AskedHookReport } from "../try/report.ts";
import { formatWithholdingMode, listVerdicts } from "../try/verdict.ts";
import type { CauseSchema } from "./report.ts";

export type Cause = z.infer<typeof CauseSchema>;

/** Lists the hooks that deny, ask or warn, with the responsible rules. Includes decisions that a mode withholds. */
export const listCauses = (hooks: readonly AskedHookReport[]): Cause[] =>
  listVerdicts(hooks).flatMap(({ decision, reason: _, withheld, ...verdict }) =>
    decision === "deny" || decision === "ask" || decision === "warn"
      ? [{ ...verdict, decision, ...(withheld && { passes: formatWithholdingMode(withheld) }) }]
      : [],
  );

/** Lists the names of hooks that match an event but weren't replayed. */
export const listUnreplayedHooks = (unreplayedHooks: readonly HookDescriptor[], event: AnyEvent): string[] =>
  findMatchingHooks(unreplayedHooks, event).map(({ name }) => name);

/** Separates pure hooks from all other hooks. Pure hooks can be replayed, because they have no side effects. */
export const separatePureHooks = (
  entries: readonly HookDescriptor[],
): { pure: readonly HookDescriptor[]; impure: readonly HookDescriptor[] } => ({
  pure: entries.filter(({ pure }) => pure === true),
  impure: entries.filter(({ pure }) => pure !== true),
});
