import type { StoredDeniedCall } from "../../call/exceptions/denied-calls.ts";
import type { ExceptionRecord } from "../../call/exceptions/record.ts";
import { getProjectPath } from "../../call/log/log-line.ts";
import { findHooks } from "../find-hooks.ts";
import { findHookRule, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { logChange } from "./log-change.ts";
import {
  createException,
  type Duration,
  type ExceptionTarget,
  findTarget,
  readExceptionEnd,
  refuseLocked,
  toBoundCall,
  writeException,
} from "./make.ts";
import { askUserInTerminal, checkTerminal, confirmInTerminal } from "../confirm/confirm.ts";
import { truncateLine } from "../../operate/text.ts";
import { formatQuestion } from "./text.ts";
import { findAllowableCall, getCallingOwner, getOwner } from "./waiting-calls.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** The user's request to allow a call or a rule. */
interface AllowRequest {
  /** The denied call's ID. If neither an ID nor `rule` is set, the newest denied call is used. */
  id: string | undefined;
  rule: string | undefined;
  /** The reason. If absent or empty, the user is prompted for it. */
  reason: string | undefined;
  isInProject: boolean;
  isManaged: boolean;
  duration: Duration;
}

/**
 * Creates an exception after the user confirms it.
 * @throws Error if the policy forbids the exception, or if no terminal is available for confirmation.
 */
export async function createConfirmedException(order: AllowRequest): Promise<ExceptionRecord> {
  const { rule, duration, isManaged } = order;
  const target = await findTarget("allow", isManaged ? "managed" : "user");
  const end = readExceptionEnd("allow", duration);
  const owner = isManaged ? getCallingOwner() : getOwner();
  const deniedCall = rule === undefined ? findAllowableCall(owner, order.id) : undefined;
  const once = duration.once || (duration.for === undefined && duration.until === undefined);
  const subject = deniedCall
    ? describeCall(deniedCall, order, target)
    : await describeRule(rule as string, order, target);
  const terminalKind = await checkTerminal("allow", target.policy);
  const reason =
    order.reason ||
    askUserInTerminal("allow", `Reason for allowing ${truncateLine(deniedCall?.shown ?? rule ?? "this call", 60)}: `);
  const record = createException(
    { ...subject, confirmed: terminalKind, ...(once && { once }), ...(isManaged && { user: owner.uid }) },
    { reason, end, ...(deniedCall && { id: deniedCall.id }) },
    target,
  );
  confirmInTerminal("allow", formatQuestion(record, deniedCall));
  writeException(record, target.location);
  await logChange("allow", record);
  return record;
}

function describeCall(deniedCall: StoredDeniedCall, { isInProject }: AllowRequest, { policy }: ExceptionTarget) {
  for (const { hook, rule } of deniedCall.verdicts) refuseLocked("allow", hook, rule, policy);
  const rule = deniedCall.verdicts.find((verdict) => verdict.rule !== undefined)?.rule;
  return {
    ...(rule !== undefined && { rule }),
    ...(deniedCall.shown !== undefined && { match: deniedCall.shown }),
    ...(isInProject && { project: deniedCall.project }),
    call: toBoundCall(deniedCall, isInProject ? "project" : "call"),
  };
}

async function describeRule(rule: string, { isInProject }: AllowRequest, { policy }: ExceptionTarget) {
  const cwd = process.cwd();
  const catalog = await loadRuleCatalog(await findHooks(undefined), cwd);
  const match = findHookRule(catalog, rule);
  if (!match) throw new Error(`allow: unknown rule "${rule}"; to list rules: ${getOwnCommand()} rules`);
  if (match.rule.fixed) throw new Error(`allow: ${rule} can't have exceptions, because it guards the policy itself`);
  refuseLocked("allow", match.hook, rule, policy);
  return { rule, ...(isInProject && { project: getProjectPath({ cwd }) }) };
}
