import { type AllowPolicy, getMaxDuration, readDuration } from "../../policy/allow.ts";
import type { ExceptionRecord } from "../../call/exceptions/record.ts";
import { logChange } from "../allow/log-change.ts";
import { createException, findTarget, readExceptionEnd, writeException } from "../allow/make.ts";
import { askUserInTerminal, checkTerminal, confirmInTerminal } from "../confirm/confirm.ts";
import { formatQuestion } from "../allow/text.ts";
import { getCallingOwner } from "../allow/waiting-calls.ts";

/**
 * Suspends the hooks' decisions for a limited time, after the user confirms.
 * @throws Error if the policy forbids pauses, or if no terminal is available for confirmation.
 */
export async function pauseHooks(
  time: string,
  reasonOption: string | undefined,
  scope: "managed" | "user",
): Promise<ExceptionRecord> {
  const target = await findTarget("pause", scope);
  const end = readExceptionEnd("pause", { once: false, for: time });
  refuseLongPause(time, target.policy);
  const user = scope === "managed" ? { user: getCallingOwner().uid } : {};
  const terminalKind = await checkTerminal("pause", target.policy);
  const reason = reasonOption || askUserInTerminal("pause", "Reason for pausing the hooks: ");
  const record = createException({ pause: true, confirmed: terminalKind, ...user }, { reason, end }, target);
  confirmInTerminal("pause", formatQuestion(record, undefined));
  writeException(record, target.location);
  await logChange("pause", record);
  return record;
}

const HOUR_MS = 3_600_000;
const formatDuration = (ms: number) => (ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${Math.floor(ms / 60_000)}m`);

/**
 * @throws Error if a pause would be longer than the policy allows. Policies that forbid pauses are reported elsewhere.
 */
function refuseLongPause(time: string, policy: AllowPolicy): void {
  const limit = getMaxDuration(policy, true);
  if (limit > 0 && readDuration(time) > limit)
    throw new Error(`pause: "${time}" is too long; pass ${formatDuration(limit)} or less`);
}
