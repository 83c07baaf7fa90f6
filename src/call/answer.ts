import { askHooks } from "./ask.ts";
import { concludeCall } from "./conclude.ts";
import { type CallArguments, type CallRuntime, openCall, type OpenedCall } from "./context.ts";
import { armDeadline } from "./deadline/arm-deadline.ts";
import { decodeCall } from "./decode.ts";
import { encodeCall } from "./encode.ts";
import { answerFailedCall, answerUnknownHost, type ReachedCall } from "./failure.ts";
import { checkEntry, identifyEvent, identifyHost } from "./identify.ts";
import { isProbe } from "../protocol/probe.ts";
import { parseInput, readInput } from "./read.ts";
import { type SelectedCall, selectHooks } from "./select.ts";
import { hasSecretHint } from "../secrets/hints.ts";
import { type AnsweredCall, settleCall } from "./write.ts";

/**
 * Runs a call through its stages and removes secrets from stderr, which hosts and terminals may record. Never throws.
 */
export async function passCall(callArguments: CallArguments, runtime: CallRuntime): Promise<AnsweredCall> {
  const answeredCall = await passStages(callArguments, runtime);
  const { stderr } = answeredCall.answer;
  if (stderr === "" || !mayShowSecret(stderr)) return answeredCall;
  try {
    const { hideSecrets } = await import("./log/redact.ts");
    return { ...answeredCall, answer: { ...answeredCall.answer, stderr: await hideSecrets(stderr) } };
  } catch {
    // A hook broke a built-in that the redactor needs. Send the answer anyway.
    return answeredCall;
  }
}

/**
 * Returns whether a string may contain a secret because it has a name that suggests one, or a run of at least 20
 * non-space characters.
 */
const mayShowSecret = (text: string): boolean => /\S{20}/.test(text) || hasSecretHint(text);

/**
 * Runs a call through its stages, each of which adds information about the call. Never throws. If a stage fails, the
 * failure policy and the results so far determine the answer.
 */
async function passStages(callArguments: CallArguments, runtime: CallRuntime): Promise<AnsweredCall> {
  const openedCall = await openCall(callArguments, runtime);
  if (openedCall.options.host !== undefined && !openedCall.namedHost) return answerUnknownHost(openedCall);
  let currentCall: ReachedCall = openedCall;
  const enterStage = async <Call extends OpenedCall>(call: Call): Promise<Call> => {
    currentCall = call;
    const timed = await armDeadline(call);
    currentCall = timed;
    return timed;
  };
  try {
    const read = await enterStage(readInput(openedCall));
    const parsedCall = await enterStage(parseInput(read));
    const hostCall = await enterStage(await identifyHost(parsedCall));
    const eventCall = await enterStage(await identifyEvent(hostCall));
    const identifiedCall = await enterStage(await checkEntry(eventCall));
    const decodedCall = await enterStage(await decodeCall(identifiedCall));
    const selectedCall = await enterStage(await selectHooks(decodedCall));
    return isProbe(selectedCall.event)
      ? await (await import("./state/trial-state.ts")).runWithTrialState(() => judgeCall(selectedCall))
      : await judgeCall(selectedCall);
  } catch (error) {
    return answerFailedCall(currentCall, error);
  }
}

const judgeCall = async (call: SelectedCall): Promise<AnsweredCall> =>
  settleCall(encodeCall(await concludeCall(await askHooks(call))));
