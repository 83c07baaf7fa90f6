import { type CapabilityRow, pickCell } from "../../protocol/capability.ts";
import { getCapabilityRow, type Host } from "../../protocol/host/host.ts";
import type { AnswerVerdict, BrokenAnswer, CommandResult, HostDoctor } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { NativePayload, ScriptCodec } from "../../protocol/host/scripts.ts";
import { parseJsonObject, toObject } from "../../protocol/object.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import { findDecision, findText, findValues, isDenial, listShapePaths } from "./answer-paths.ts";
import {
  diffInput,
  translateNativePatch,
  extractModifiedOutput,
  extractSessionEnv,
  omitEmptyFields,
  toNonEmptyString,
} from "./answer-values.ts";
import type { AnswerTable } from "./answer.ts";

/** The payload that a command received on stdin. */
type SentPayload = Pick<NativePayload, "native_event" | "payload">;

/** A command's answer to an event, with the parsed document. */
export interface CommandAnswer<Shape extends string = string> {
  native_event: string;
  row: CapabilityRow<Shape>;
  shape: Shape;
  result: CommandResult;
  handler: Payload;
  /** The answer document that the host would find in the output, if any. */
  document: Payload | undefined;
  /** Whether this answer's document denies the event. */
  isDenied: boolean;
  /** Whether the host can block this event. */
  canDeny: boolean;
}

/** An answer with the values read from its document. */
interface ReadAnswer<Shape extends string> extends CommandAnswer<Shape> {
  payload: Payload;
  /** The reason given in the document, regardless of the decision. */
  reason: string | undefined;
}

interface NativeInput {
  input: unknown;
  read: (input: Payload) => object;
}

/** Defines how a host interprets answers, beyond the rules in its answer table. */
interface ReaderSpec<Shape extends string> {
  /** Name of the program that reads the answer, shown in messages. */
  name: string;
  host: Host;
  table: AnswerTable<Shape>;
  /** Finds the answer document in the output. By default, parses all of stdout. */
  findDocument?: (result: CommandResult, at: { native_event: string; shape: Shape }) => Payload | undefined;
  judgeCommandAnswer: (answer: CommandAnswer<Shape>) => AnswerVerdict;
  /** Events on which the host treats plain text on stdout as context. */
  plainContextEvents?: readonly string[];
  /** Answer fields whose effect no other host supports. */
  untranslatableFields?: readonly string[];
  /**
   * Returns a call's native input and a function that converts native input to unified names; undefined if the host
   * doesn't accept modified input.
   */
  readInput: (sentPayload: SentPayload) => NativeInput | undefined;
  /** Converts a modified result. By default, extracts the result's text if its format is known. */
  readOutput?: (output: unknown, sentPayload: SentPayload) => IHookResponse["modified_output"];
  /** Adjusts the response for effects that the answer table can't express. */
  adjust?: (response: IHookResponse, answer: ReadAnswer<Shape>) => IHookResponse;
}

export const PASSED_VERDICT: AnswerVerdict = { kind: "passed" };
export const DENIED_VERDICT: AnswerVerdict = { kind: "denied" };
export const judgeDenial = (isDenied: boolean): AnswerVerdict => (isDenied ? DENIED_VERDICT : PASSED_VERDICT);

/**
 * Creates the verdict for an answer that the host treats as a failure.
 * @param blocking the host's reaction if the failure blocks the call; otherwise undefined.
 */
export const createInvalidVerdict = (name: string, problem: string, blocking?: string): AnswerVerdict => ({
  kind: "broken",
  blocks: blocking !== undefined,
  problem,
  reaction: `${name} ${blocking ?? "continues as if there were no hook"}`,
});

export const describeExit = (exit_code: number | null): string =>
  exit_code === null ? "it was killed" : `it exited with code ${exit_code}`;

/** Parses an answer the way its host does. */
function describeAnswer<Shape extends string>(
  spec: ReaderSpec<Shape>,
  native_event: string,
  result: CommandResult,
  handler: Payload,
): CommandAnswer<Shape> {
  // The cast is safe: the table and the host's capability rows define the same answer shapes.
  const row = getCapabilityRow(spec.host, native_event) as CapabilityRow<Shape>;
  const { shape } = row;
  const document = spec.findDocument
    ? spec.findDocument(result, { native_event, shape })
    : parseJsonObject(result.stdout);
  return {
    native_event,
    row,
    shape,
    result,
    handler,
    document,
    isDenied: document !== undefined && isDenial(document, spec.table, shape),
    canDeny: pickCell(row.deny, undefined).support !== "unenforceable",
  };
}

/** Converts an answer to a unified response, whether it denies the event or lets it continue. */
function readResponse<Shape extends string>(
  spec: ReaderSpec<Shape>,
  answer: CommandAnswer<Shape>,
  payload: Payload,
  outcome: "denied" | "passed",
): IHookResponse {
  const { native_event, document = {}, result, shape } = answer;
  const sentPayload: SentPayload = { native_event, payload };
  const paths = listShapePaths(spec.table, shape, outcome);
  const reason = findText(document, paths, "reason");
  const common: IHookResponse = {
    user_message: findText(document, paths, "message"),
    additional_context: findText(document, paths, "context") ?? readPlainContext(spec, answer),
    modified_output: (spec.readOutput ?? extractModifiedOutput)(findValues(document, paths, "output")[0], sentPayload),
    session_env: extractSessionEnv(findValues(document, paths, "env")[0]),
  };
  const complete = (response: IHookResponse) =>
    omitEmptyFields(spec.adjust ? spec.adjust(response, { ...answer, payload, reason }) : response);
  if (outcome === "denied")
    return complete({ decision: "deny", reason: reason ?? toNonEmptyString(result.stderr), ...common });
  const decision = findDecision(document, paths, ["allow", "ask"]);
  const [updated] = findValues(document, paths, "input");
  const native = updated === undefined ? undefined : spec.readInput(sentPayload);
  const modified_input = native && diffInput(toObject(native.input), updated, native.read);
  return complete({ decision, reason: decision && reason, modified_input, ...common });
}

function readPlainContext<Shape extends string>(
  { plainContextEvents = [] }: ReaderSpec<Shape>,
  { native_event, result: { stdout, exit_code } }: CommandAnswer<Shape>,
): string | undefined {
  const isPlain = exit_code === 0 && plainContextEvents.includes(native_event) && !stdout.trimStart().startsWith("{");
  return isPlain ? toNonEmptyString(stdout) : undefined;
}

/** Creates the functions that read a host's answers, for use by `doctor` and by scripts written for this host. */
export function createAnswerReader<Shape extends string>(
  spec: ReaderSpec<Shape>,
): Pick<HostDoctor, "judgeAnswer"> & Pick<ScriptCodec, "parseAnswer" | "translatePatch"> {
  const { name, untranslatableFields = [] } = spec;
  return {
    translatePatch(sentPayload, patch) {
      const native = spec.readInput(sentPayload);
      return native && translateNativePatch(toObject(native.input), patch, native.read);
    },
    judgeAnswer: (native_event, result, handler) =>
      spec.judgeCommandAnswer(describeAnswer(spec, native_event, result, handler)),
    parseAnswer({ native_event, payload }, result) {
      const answer = describeAnswer(spec, native_event, result, {});
      const verdict = spec.judgeCommandAnswer(answer);
      if (verdict.kind === "broken") {
        const problem = describeInvalidAnswer(verdict, result);
        if (!verdict.blocks) throw new Error(problem);
        return { decision: "deny", reason: problem };
      }
      const { document } = answer;
      if (!document && verdict.kind === "passed" && isPrecededByNoise(result.stdout))
        throw new Error(`it printed text before its answer, so ${name} reads neither; print only the answer`);
      const lostField = untranslatableFields.find(
        (field) => document?.[field] !== undefined || toObject(document?.hookSpecificOutput)[field] !== undefined,
      );
      if (lostField)
        throw new Error(
          `it answered with "${lostField}", which no other host supports; deny, or change the call before it runs`,
        );
      return readResponse(spec, answer, payload, verdict.kind);
    },
  };
}

/** Field names that appear in answers but not in unrelated JSON output. */
const ANSWER_FIELDS = [
  "decision",
  "hookSpecificOutput",
  "continue",
  "permission",
  "permissionDecision",
  "behavior",
  "systemMessage",
  "deny",
  "block",
];

/**
 * Maximum number of lines starting with "{" that are tried as the start of an answer, last line first. Output with more
 * such lines is treated as data.
 */
const MAX_JSON_STARTS = 100;

/**
 * Whether an answer follows other text in the output. The host would miss that answer, but stray output must not hide a
 * denial.
 */
function isPrecededByNoise(stdout: string): boolean {
  for (
    let at = stdout.lastIndexOf("\n{"), remainingStarts = MAX_JSON_STARTS;
    at >= 0 && remainingStarts > 0;
    at = stdout.lastIndexOf("\n{", at - 1), remainingStarts--
  ) {
    const document = parseJsonObject(stdout.slice(at));
    if (document) return ANSWER_FIELDS.some((name) => Object.hasOwn(document, name));
    if (at === 0) break;
  }
  return false;
}

/**
 * Describes a broken answer. Omits the host's reaction, because the caller's failure policy decides what happens next.
 */
function describeInvalidAnswer({ problem }: BrokenAnswer, { stderr }: CommandResult): string {
  const stderrText = stderr.trim();
  return stderrText && stderrText !== problem ? `${problem} (${stderrText.slice(0, 500)})` : problem;
}
