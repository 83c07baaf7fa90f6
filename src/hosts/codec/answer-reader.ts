import { type Capabilities, type CapabilityRow, pickCell } from "../../protocol/capability.ts";
import type { Payload } from "../../protocol/host/host.ts";
import type { AnswerVerdict, CommandResult, HostDoctor } from "../../protocol/host/install.ts";
import type { NativePayload, ScriptCodec } from "../../protocol/host/scripts.ts";
import { isObject } from "../../protocol/object.ts";
import type { Decision, IHookResponse } from "../../protocol/response.ts";
import { findCapabilityRow, toObject } from "../doctor-helpers.ts";
import { formatOutput } from "../wire.ts";
import type { AnswerShape, AnswerTable, AnswerTemplate, AnswerValue } from "./answer.ts";

/** Parses a text as a JSON object; undefined if it is not one. */
export function parseJsonObject(text: string): Payload | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Fields that only answers have. */
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

/** Maximum number of lines at the end of an output that may start an answer; an output with more of them is data. */
const MAX_BEGINNINGS = 100;

/** Whether an answer follows other text, where a host does not see it: a denial must not get lost in noise. */
function isAnswerBehindNoise(stdout: string): boolean {
  for (
    let at = stdout.lastIndexOf("\n{"), left = MAX_BEGINNINGS;
    at >= 0 && left > 0;
    at = stdout.lastIndexOf("\n{", at - 1), left--
  ) {
    const document = parseJsonObject(stdout.slice(at));
    if (document) return ANSWER_FIELDS.some((name) => Object.hasOwn(document, name));
    if (at === 0) break;
  }
  return false;
}

/** The payload that a command received. */
export type SentPayload = Pick<NativePayload, "native_event" | "payload">;

/** An answer at an event, and what its document says. */
export interface GivenAnswer<Shape extends string = string> {
  native_event: string;
  row: CapabilityRow<Shape>;
  shape: Shape;
  result: CommandResult;
  handler: Payload;
  /** The document that the host finds; absent if it finds none. */
  document: Payload | undefined;
  /** The document has a denial of this shape. */
  isDenied: boolean;
  /** The host can stop this event. */
  canDeny: boolean;
}

interface NativeInput {
  input: unknown;
  read: (input: Payload) => object;
}

/** What a host makes of its answers, beside what its table says. */
interface ReaderSpec<Shape extends string> {
  /** Who reads the answer, in messages. */
  name: string;
  table: AnswerTable<Shape>;
  capabilities: Capabilities<Shape>;
  createUnknownEventRow: () => CapabilityRow<Shape>;
  /** Default: all of stdout. */
  findDocument?: (result: CommandResult, at: { native_event: string; shape: Shape }) => Payload | undefined;
  judge: (answer: GivenAnswer<Shape>) => AnswerVerdict;
  /** Events at which plain text on stdout becomes context. */
  plainContextEvents?: readonly string[];
  /** Fields whose effect other hosts can't express. */
  untranslatableFields?: readonly string[];
  /** Returns the native input of a call, and how to read one in unified names; undefined if the host accepts no other. */
  readInput: (sent: SentPayload) => NativeInput | undefined;
  /** Converts a new result; default: its text if known. */
  readOutput?: (output: unknown, sent: SentPayload) => IHookResponse["modified_output"];
  /** Changes the response that the table gives, by what it can't say. `reason`: the document's. */
  adjust?: (
    response: IHookResponse,
    answer: GivenAnswer<Shape> & SentPayload,
    reason: string | undefined,
  ) => IHookResponse;
}

export const PASSED: AnswerVerdict = { kind: "passed" };
export const DENIED: AnswerVerdict = { kind: "denied" };
export const judgeDenial = (isDenied: boolean): AnswerVerdict => (isDenied ? DENIED : PASSED);

/**
 * Returns the verdict about an answer that the host takes for a failure.
 * @param blocking what the host does, if it then blocks the call.
 */
export const createBrokenVerdict = (name: string, why: string, blocking?: string): AnswerVerdict => ({
  kind: "broken",
  blocks: blocking !== undefined,
  why: `${why}, and ${name} ${blocking ?? "goes on as if there were no hook"}`,
});

export const describeExit = (exit_code: number | null): string =>
  exit_code === null ? "it was killed" : `it exited with code ${exit_code}`;

/** A place of a table: where in the document a value is. */
type TablePlace = readonly [path: readonly string[], value: Exclude<AnswerValue, { fields: unknown }>];

const listPlaces = (template: AnswerTemplate | undefined, path: readonly string[] = []): TablePlace[] =>
  Object.entries(template ?? {}).flatMap(([name, value]): TablePlace[] =>
    typeof value === "object" && "fields" in value
      ? listPlaces(value.fields, [...path, name])
      : [[[...path, name], value]],
  );

const getAt = (document: Payload, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => toObject(value)[name], document);

const getFieldOf = (value: TablePlace[1]) =>
  typeof value === "string" ? (value === "denial" ? "reason" : value) : "field" in value ? value.field : undefined;

/** The values of a field, in the order of the places. */
const findValues = (document: Payload, places: readonly TablePlace[], field: string): unknown[] =>
  places
    .filter(([, value]) => getFieldOf(value) === field)
    .map(([path]) => getAt(document, path))
    .filter((value) => value !== undefined && value !== null);

const findText = (document: Payload, places: readonly TablePlace[], field: string) =>
  findValues(document, places, field).map(toNonEmptyText).find(Boolean);

/** The first decision that the document says in one of these places. */
function findDecision(
  document: Payload,
  places: readonly TablePlace[],
  decisions: readonly Decision[],
): Decision | undefined {
  for (const [path, value] of places) {
    if (typeof value === "string" || !("decision" in value)) continue;
    const given = getAt(document, path);
    const found = decisions.find((one) =>
      [value.decision[one]].flat().some((said) => said !== undefined && said === given),
    );
    if (found) return found;
  }
  return undefined;
}

/** Whether a document denies; where no field decides, a denial is its reason. */
function isDenial(
  document: Payload,
  { fields, denied = fields, also, needsReason }: AnswerShape,
  more: AnswerTemplate | undefined,
) {
  const places = [...listPlaces(denied), ...listPlaces(also), ...listPlaces(more)];
  const decides = places.some(
    ([, value]) => typeof value === "object" && "decision" in value && "deny" in value.decision,
  );
  if (decides && findDecision(document, places, ["deny"]) === undefined) return false;
  return (decides && !needsReason) || findText(document, listPlaces(denied), "reason") !== undefined;
}

/** Creates what reads a host's answers: the verdict for `doctor`, and the response that a script meant. */
export function createAnswerReader<Shape extends string>(
  spec: ReaderSpec<Shape>,
): Pick<HostDoctor, "judgeAnswer"> & Pick<ScriptCodec, "parseAnswer"> {
  const { name, table, untranslatableFields = [] } = spec;
  const find = spec.findDocument ?? (({ stdout }) => parseJsonObject(stdout));
  const listShapePlaces = (shape: Shape, denied: boolean) => {
    const { fields, also, denied: other = fields, asked }: AnswerShape = table.shapes[shape];
    return [...(denied ? [other, also] : [fields, asked, also]), table.also].flatMap((one) => listPlaces(one));
  };
  const describe = (native_event: string, result: CommandResult, handler: Payload): GivenAnswer<Shape> => {
    const row = findCapabilityRow(spec.capabilities, spec.createUnknownEventRow, native_event);
    const document = find(result, { native_event, shape: row.shape });
    const isDenied = document !== undefined && isDenial(document, table.shapes[row.shape], table.also);
    const canDeny = pickCell(row.deny, undefined).support !== "unenforceable";
    return { native_event, row, shape: row.shape, result, handler, document, isDenied, canDeny };
  };
  const read = (answer: GivenAnswer<Shape>, sent: SentPayload, denied: boolean): IHookResponse => {
    const { document = {}, shape, result } = answer;
    const places = listShapePlaces(shape, denied);
    const isPlain =
      result.exit_code === 0 &&
      spec.plainContextEvents?.includes(sent.native_event) &&
      !result.stdout.trimStart().startsWith("{");
    const plain = isPlain ? toNonEmptyText(result.stdout) : undefined;
    const reason = findText(document, places, "reason");
    const common = {
      user_message: findText(document, places, "message"),
      additional_context: findText(document, places, "context") ?? plain,
      modified_output: (spec.readOutput ?? extractModifiedOutput)(findValues(document, places, "output")[0], sent),
      session_env: extractSessionEnv(findValues(document, places, "env")[0]),
    };
    if (denied) return { decision: "deny", reason: reason ?? toNonEmptyText(result.stderr), ...common };
    const decision = findDecision(document, places, ["allow", "ask"]);
    const [updated] = findValues(document, places, "input");
    const native = updated === undefined ? undefined : spec.readInput(sent);
    const modified_input = native && diffInput(toObject(native.input), updated, native.read);
    return { decision, reason: decision && reason, modified_input, ...common };
  };
  return {
    judgeAnswer: (native_event, result, handler) => spec.judge(describe(native_event, result, handler)),
    parseAnswer: (sent, result) => {
      const answer = describe(sent.native_event, result, {});
      const verdict = spec.judge(answer);
      if (verdict.kind === "broken") {
        const problem = describeBrokenAnswer(verdict.why, result);
        if (!verdict.blocks) throw new Error(problem);
        return { decision: "deny", reason: problem };
      }
      const { document } = answer;
      if (!document && verdict.kind === "passed" && isAnswerBehindNoise(result.stdout))
        throw new Error(`it printed text before its answer, so ${name} reads neither; print only the answer`);
      const lost = untranslatableFields.find(
        (field) => document?.[field] !== undefined || toObject(document?.hookSpecificOutput)[field] !== undefined,
      );
      if (lost)
        throw new Error(
          `it answered with "${lost}", which no other host can express; deny, or change the call before it runs`,
        );
      const denied = verdict.kind === "denied";
      const response = read(answer, sent, denied);
      const reason = findText(document ?? {}, listShapePlaces(answer.shape, denied), "reason");
      return omitEmptyFields(spec.adjust ? spec.adjust(response, { ...answer, ...sent }, reason) : response);
    },
  };
}

/** Describes a broken answer without the host's reaction, since a failure policy decides here. */
function describeBrokenAnswer(why: string, { stderr }: CommandResult): string {
  const [what, said] = [why.replace(/, and [^,]*$/, ""), stderr.trim()];
  return said && !what.startsWith(said) ? `${what} (${said.slice(0, 500)})` : what;
}

/** Removes empty fields from a response. */
export const omitEmptyFields = (fields: IHookResponse): IHookResponse =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && (value !== "" || name === "modified_output"),
    ),
  );

/** Keeps the session variables whose values are strings. */
export function extractSessionEnv(env: unknown): IHookResponse["session_env"] {
  const given = Object.entries(toObject(env)).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Converts a new result to unified terms: its text if known, or else the object. */
export function extractModifiedOutput(output: unknown): IHookResponse["modified_output"] {
  if (output === undefined || output === null) return undefined;
  return isObject(output) && !Array.isArray(output.content) ? output : formatOutput(output);
}

export const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() ? value.trim() : undefined;

/**
 * Returns the patch in unified names that turns the sent input into the answered one. `read` converts a native input to
 * unified names; a field without a unified name keeps its own, and an omitted field stays unchanged.
 * @throws Error when the tool does not accept the new input.
 */
export function diffInput(told: Payload, updated: unknown, read: (input: Payload) => object): Payload | undefined {
  if (updated === undefined || updated === null) return undefined;
  if (!isObject(updated))
    throw new Error("it answered with an input that is not an object; give the fields of the tool's input");
  const before = read(told) as Payload;
  const after = Object.entries(read({ ...told, ...updated }));
  const patch = Object.fromEntries(
    after.filter(([name, value]) => value !== undefined && !Bun.deepEquals(value, before[name])),
  );
  for (const name of Object.keys(updated)) {
    if (Bun.deepEquals(updated[name], told[name])) continue;
    if (Bun.deepEquals(read({ ...told, [name]: updated[name] }), before)) patch[name] = updated[name];
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
