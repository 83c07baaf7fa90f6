import type { CapabilityRow } from "../../protocol/capability.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { getCapabilityRow, type HostAnswer } from "../../protocol/host/host.ts";
import type { OpenedCall } from "../context.ts";
import { answerFailure } from "../failure.ts";
import type { IdentifiedCall } from "../identify.ts";
import type { ReadCall } from "../read.ts";
import type { SelectedCall } from "../select.ts";
import { describeCall, NO_DECISION_RESULT } from "../log/concluded-call.ts";
import { prepareHead } from "../log/log-head.ts";
import { isProbe } from "../../protocol/probe.ts";
import type { LastAnswer } from "./deadline.ts";

/** How long after the call's time limit the process ends, in milliseconds. */
const GRACE_MS = 350;

type TimedCall = OpenedCall & Partial<SelectedCall>;

/**
 * Arms the deadline if the call's next stage may take long. The process then ends on time, and if no other answer is
 * ready, it sends the one that the failure policy requires.
 */
export async function armDeadline<Call extends OpenedCall>(call: Call): Promise<Call> {
  if (!(await mayTakeLong(call))) return call;
  const { runtime, end, rawInput } = call as TimedCall;
  const lastAnswer = await createLastAnswer(call);
  const remainingMs = end + GRACE_MS - performance.now();
  if (typeof rawInput !== "string" || !runtime.deadline) return { ...call, armed: { last: lastAnswer } };
  const progress = { known: [], problem: "reading the payload took too long" };
  const record = await createRecord(call, lastAnswer, remainingMs);
  const canHandOver = await runtime.deadline.arm(remainingMs, { ...lastAnswer, record }, rawInput, progress);
  return { ...call, armed: canHandOver ? { last: lastAnswer, deadline: runtime.deadline } : { last: lastAnswer } };
}

/** Returns whether the next stage parses a large payload, uses a slow matcher, or runs hooks. */
async function mayTakeLong(call: TimedCall): Promise<boolean> {
  // The hooks are about to run.
  if (call.hooks) return call.hooks.length > 0 && !call.armed;
  if (call.decoded) return false;
  // The matchers are about to run. The host is known by now, so the deadline's answer has the right format.
  if (call.isDuplicate !== undefined) return maySelectLong(call as IdentifiedCall);
  if (call.raw || call.rawInput === undefined) return false;
  // The payload is about to be parsed. The flags alone are enough to deny the call on time.
  return mayParseLong(call as ReadCall);
}

const maySelectLong = ({ isLarge, entries, row }: IdentifiedCall): boolean =>
  (isLarge || entries.some(hasSlowMatcher)) && hasHookFor(entries, row);

async function mayParseLong({ isLarge, namedHost, entries, options }: ReadCall): Promise<boolean> {
  if (!isLarge || !namedHost || !options.event) return false;
  return hasHookFor(entries, getCapabilityRow(await namedHost.loadHost(), options.event));
}

const hasHookFor = (entries: readonly HookDescriptor[], { event }: CapabilityRow): boolean =>
  entries.some(({ events }) => events.includes(event));

/** Returns whether the matcher contains a regular expression that may be slow. */
const hasSlowMatcher = ({ matcher }: HookDescriptor): boolean =>
  matcher !== undefined && matcher.split(/[*+{]/).length > 2;

/**
 * Prepares the log line for a call that reaches its deadline. It must be ready in advance because only system timers
 * run at that point, no JavaScript.
 */
async function createRecord(call: TimedCall, lastAnswer: HostAnswer, leftMs: number): Promise<LastAnswer["record"]> {
  if (call.event && isProbe(call.event)) return undefined;
  const decision = lastAnswer.restricts === true || lastAnswer.exit_code === 2 ? "deny" : undefined;
  const problem = `the hooks did not answer within ${call.timeoutMs} ms`;
  const concludedCall = describeCall(call, { ...NO_DECISION_RESULT, outcomes: [], decision, problem });
  return prepareHead(concludedCall, leftMs, call.runtime.env).catch(() => undefined);
}

/** Builds the answer to send at the deadline. A process that handles many calls caches the answer. */
async function createLastAnswer({ argv, context, entries, timeoutMs, runtime }: OpenedCall): Promise<HostAnswer> {
  const cachedAnswers = context.modes ? undefined : runtime.lastAnswers;
  const key = [...argv, context.host?.id, context.native_event, context.isStandIn].join("\0");
  const lastAnswer =
    cachedAnswers?.get(key) ??
    (await answerFailure(entries, context, `the hooks did not answer within ${timeoutMs} ms`));
  cachedAnswers?.set(key, lastAnswer);
  return lastAnswer;
}
