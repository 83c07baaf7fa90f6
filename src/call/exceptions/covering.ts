import type { AnyEvent } from "../../protocol/event.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { AllowPolicy } from "../../policy/allow.ts";
import { isInside } from "../../policy/read.ts";
import type { CallBinding, LoadedException } from "./record.ts";

export type GateCall = Extract<AnyEvent, { event: "PreToolUse" | "PermissionRequest" }>;

/** A verdict that no exception covers. */
export interface HeldVerdict {
  hook: string;
  rule?: string;
  subject?: string;
  reason?: string;
  said: string;
}

/** A call with a verdict, as far as exceptions depend on the call. */
interface JudgedCall {
  event: GateCall;
  binding: CallBinding;
  verdict: HeldVerdict;
}

/** Lists the exceptions that cover a verdict on a call. The list is empty if the managed file locks the rule or hook. */
export const listCoveringExceptions = (
  records: readonly LoadedException[],
  call: JudgedCall,
  policy: AllowPolicy,
): LoadedException[] =>
  policy.isLocked(call.verdict.hook, call.verdict.rule) ? [] : records.filter((record) => coversVerdict(record, call));

function coversVerdict(
  { call, rule, project, pause }: LoadedException,
  { event, binding, verdict }: JudgedCall,
): boolean {
  if (pause) return false;
  if (!call)
    return (
      rule !== undefined &&
      rule === verdict.rule &&
      (project === undefined || isInside(listProjectFolders(event)[0] ?? "", project))
    );
  if (call.host !== event.host) return false;
  const isSameEvent = call.native_event === event.native_event;
  const [exact, act] =
    project === undefined ? [binding.exact, binding.act] : [binding.exactInProject, binding.actInProject];
  if (isSameEvent ? call.exact !== exact : call.act !== act) return false;
  // Another event of the same call may word the verdict differently.
  return call.verdicts.some(
    ({ hook, rule: id, said }) =>
      hook === verdict.hook && id === verdict.rule && (said === verdict.said || (!isSameEvent && id !== undefined)),
  );
}

/** Describes a hook's verdict, with the hash that binds exceptions to the verdict. */
export function describeVerdict(
  hook: string,
  { rule, subject, reason }: Pick<IHookResponse, "rule" | "subject" | "reason">,
): HeldVerdict {
  return {
    hook,
    ...(rule !== undefined && { rule }),
    ...(subject !== undefined && { subject }),
    ...(reason !== undefined && { reason }),
    said: hashWords([hook, rule ?? "", subject ?? "", reason ?? ""]),
  };
}

export const hashWords = (words: readonly unknown[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 40);
