import type { AnyEvent } from "../../protocol/event.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import { bindCall } from "../../author/bind-call.ts";
import type { LoadedException } from "../../call/exceptions/record.ts";
import { collectExceptions } from "../../operate/policy/exceptions.ts";
import { loadAllowPolicy } from "../../policy/load-allow.ts";
import { isInside } from "../../policy/read.ts";

/** An exception made with `allow`, or a pause, that lets a stopped call through. */
export type UserException = Pick<LoadedException, "id" | "until" | "reason" | "once" | "pause" | "rule">;

/** Finds the exceptions and pauses in force that cover a call stopped by a rule or hook. */
export async function findUserExceptions(
  event: AnyEvent,
  verdict: { hook?: string | undefined; rule?: string | undefined },
): Promise<UserException[]> {
  if (event.event !== "PreToolUse" && event.event !== "PermissionRequest") return [];
  const { exceptions } = await collectExceptions();
  if (exceptions.length === 0) return [];
  // A locked rule or hook allows no exception. If the managed file can't be read, no exception is in force.
  const policy = await loadAllowPolicy().catch(() => undefined);
  if (!policy || policy.isLocked(verdict.hook ?? "", verdict.rule)) return [];
  const [project = event.cwd] = listProjectFolders(event);
  const isCovering = ({ call, pause, rule, project: root }: LoadedException): boolean => {
    if (pause) return true;
    if (!call) return rule !== undefined && rule === verdict.rule && (root === undefined || isInside(project, root));
    const isSameVerdict = call.verdicts.some(({ hook, rule: id }) => hook === verdict.hook && id === verdict.rule);
    if (!isSameVerdict) return false;
    const { act, actInProject } = bindCall({ ...event, host: call.host });
    return call.act === (root === undefined ? act : actInProject);
  };
  return exceptions
    .filter(({ state, exception }) => state === "in force" && isCovering(exception))
    .map(({ exception: { id, until, reason, once, pause, rule } }) => ({
      ...{ id, until, reason },
      ...(rule !== undefined && { rule }),
      ...(once && { once }),
      ...(pause && { pause }),
    }));
}
