import type { AnyEvent } from "../../protocol/event.ts";
import { bindCall } from "../../author/bind-call.ts";
import { describeVerdict, listCoveringExceptions } from "../../call/exceptions/covering.ts";
import type { LoadedException } from "../../call/exceptions/record.ts";
import { collectExceptions } from "../../operate/policy/exceptions.ts";
import { loadAllowPolicy } from "../../policy/load-allow.ts";

/** An exception made with `allow`, or a pause, that lets a stopped call through. */
export type UserException = Pick<LoadedException, "id" | "until" | "reason" | "once" | "pause" | "rule">;

/** Finds the exceptions and pauses in force that cover a call stopped by a rule or hook. */
export async function findUserExceptions(
  event: AnyEvent,
  { hook = "", rule, subject, reason }: Partial<Record<"hook" | "rule" | "subject" | "reason", string | undefined>>,
): Promise<UserException[]> {
  if (event.event !== "PreToolUse" && event.event !== "PermissionRequest") return [];
  const { exceptions } = await collectExceptions();
  if (exceptions.length === 0) return [];
  // If the managed file can't be read, no exception is in force.
  const policy = await loadAllowPolicy().catch(() => undefined);
  if (!policy) return [];
  const verdict = describeVerdict(hook, {
    ...(rule !== undefined && { rule }),
    ...(subject !== undefined && { subject }),
    ...(reason !== undefined && { reason }),
  });
  const isCovering = (record: LoadedException): boolean => {
    if (record.pause) return !policy.isLocked(hook, rule);
    // A typed command has no host, so assume the exception's host, with an event that the exception doesn't name.
    const assumedEvent = { ...event, host: record.call?.host ?? event.host, native_event: "" };
    try {
      const call = { event: assumedEvent, binding: bindCall(assumedEvent), verdict };
      return listCoveringExceptions([record], call, policy).length > 0;
    } catch {
      // As in a real hook call, no exception covers a call that can't be inspected.
      return false;
    }
  };
  return exceptions
    .filter(({ state, exception }) => state === "in force" && isCovering(exception))
    .map(({ exception: { id, until, reason: why, once, pause, rule: exceptedRule } }) => ({
      ...{ id, until, reason: why },
      ...(exceptedRule !== undefined && { rule: exceptedRule }),
      ...(once && { once }),
      ...(pause && { pause }),
    }));
}
