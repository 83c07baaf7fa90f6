import type { Host, HostAnswer, Payload } from "../protocol/host/host.ts";
import type { Decision, IHookResponse } from "../protocol/response.ts";
import type { DecidedCall, ResponseVerdict } from "./conclude.ts";
import { formatWarnings, getHostSettings } from "./context.ts";

/** The answer for the host, and what the log line records. */
interface Encoding {
  answer: HostAnswer;
  /** The hooks' merged response, and the decision sent to the host. */
  response: IHookResponse;
  decision: Decision | undefined;
  losses: readonly string[];
  /** The fields of the call that the answer changes. */
  patch?: Payload | undefined;
}

/** A call with its answer in the host's format. */
export interface EncodedCall extends DecidedCall, Encoding {}

const NO_RESPONSE = { response: {}, decision: undefined, losses: [] } as const;

/** Encodes the verdict with the host's adapter. */
export const encodeCall = (call: DecidedCall): EncodedCall => ({ ...call, ...encodeVerdict(call) });

function encodeVerdict(call: DecidedCall): Encoding {
  const { verdict, host, context } = call;
  const { neutralOutput, failureExitCode = 1 } = host;
  switch (verdict.kind) {
    case "silence": {
      const stderr = formatWarnings(context, verdict.notes);
      return { ...NO_RESPONSE, answer: { stdout: neutralOutput, stderr, exit_code: 0 } };
    }
    case "failure": {
      const { notes, dropped } = verdict;
      const stderr = formatWarnings(context, [...notes, ...dropped]);
      return {
        ...NO_RESPONSE,
        answer: { stdout: neutralOutput, stderr, exit_code: failureExitCode },
        losses: dropped,
      };
    }
    case "response":
      return encodeResponse(call, verdict);
  }
}

function encodeResponse({ host, row, context }: DecidedCall, verdict: ResponseVerdict): Encoding {
  const { notes, response, lowered, restricts, isUnexplained } = verdict;
  const settings = getHostSettings(host, context);
  const answer = host.encodeAnswer(lowered, row.shape, context.native_event, settings);
  // A lost default reason isn't worth a warning.
  const warnings = verdict.losses
    .filter(({ field }) => !(isUnexplained && field === "reason"))
    .map(({ message }) => message);
  // If the exit code isn't 0, the model may read all of stderr, so advice for hook authors goes only to the log. If
  // stderr holds a JSON document, other text would break it.
  const lines = [...notes, ...warnings];
  const shownCount = answer.exit_code === 0 ? lines.length : answer.documentOnStderr ? 0 : notes.length;
  const advice = formatWarnings(context, lines.slice(shownCount));
  const isUnread = answer.exitCodeIfStderrClosed !== undefined && !answer.documentOnStderr && lowered.user_message;
  const losses = isUnread ? [...warnings, describeUnreadMessage(host)] : warnings;
  return {
    answer: {
      ...answer,
      stderr: joinStrings(answer.stderr, formatWarnings(context, lines.slice(0, shownCount))),
      ...(advice && { advice }),
      restricts,
    },
    response,
    decision: lowered.decision,
    losses,
    ...(lowered.input && { patch: response.modified_input }),
  };
}

const joinStrings = (...texts: string[]): string => texts.filter(Boolean).join("\n");

const describeUnreadMessage = ({ name }: Host) =>
  `user_message was dropped: when a call is denied by exit code, ${name} reads only stderr, which goes to the model; deny with JSON instead`;
