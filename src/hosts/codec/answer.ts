import type { Host, HostAnswer, HostOptionValues, LoweredResponse } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { Decision } from "../../protocol/response.ts";
import { formatDocument, isStdoutPolluted } from "./wire.ts";

// A host's answer format is one table: for each answer shape the fields of its document, by what they hold. It is
// written here, on every call; `answer-reader.ts` reads it the other way round, for `doctor` and for scripts.

/** The values that a document can hold; `denial` is the reason of a denial. */
type AnswerField = "reason" | "denial" | "message" | "context" | "input" | "output" | "env";

interface AnswerValues {
  event: string;
  decision: Decision | undefined;
  reason: string | undefined;
  message: string | undefined;
  context: string | undefined;
  input: Payload | undefined;
  output: unknown;
  env: Readonly<Record<string, string>> | undefined;
}

/** A decision's values: the first is written, and the host reads all of them. */
type DecisionValues = Readonly<Partial<Record<Decision | "rewrite", string | boolean | readonly (string | boolean)[]>>>;

/** What a field of a document holds; `event` is the event's native name. */
export type AnswerValue =
  | AnswerField
  | "event"
  | { readonly decision: DecisionValues; readonly required?: true }
  | { readonly fields: AnswerTemplate }
  | { readonly field: AnswerField; readonly build: (values: AnswerValues) => unknown };

export type AnswerTemplate = Readonly<Record<string, AnswerValue>>;

/**
 * Writes the decision; `rewrite` is written if the input is changed and the decision has no value.
 * @param required without a decision, the object around it is left out.
 */
export const writeDecision = (decision: DecisionValues, required?: "required"): AnswerValue =>
  required ? { decision, required: true } : { decision };

/** Writes an object, unless it would hold nothing but the event's name. */
export const nestFields = (fields: AnswerTemplate): AnswerValue => ({ fields });

/** Joins values to paragraphs; a reader takes all of it as the value of `field`. */
export const joinFields = (field: AnswerField, ...parts: readonly AnswerField[]): AnswerValue => ({
  field,
  build: (values) => joinValues(parts, values),
});

/** Writes a value that a table can't describe; a reader takes it as the value of `field`. */
export const buildField = (field: AnswerField, build: (values: AnswerValues) => unknown): AnswerValue => ({
  field,
  build,
});

/** One answer format of a host. */
export interface AnswerShape {
  /** The fields in their order in the document. */
  fields: AnswerTemplate;
  /** The fields of a denial, where it has others. */
  denied?: AnswerTemplate;
  /** The fields of a question, where it has others. */
  asked?: AnswerTemplate;
  /** A denial has exit code 2: always, or if the host's option asks for it or stdout can't be read. */
  exitCode?: "always" | "optional";
  /** The host can't replace a result: a new one is sent as the reason of a denial. */
  replacesByDenial?: true;
  /** A denial without a reason is not honoured. */
  needsReason?: true;
  /** Fields that the host reads as well, though nothing here writes them. */
  also?: AnswerTemplate;
}

/** A host's answer formats. */
export interface AnswerTable<Shape extends string = string> {
  shapes: Readonly<Record<Shape, AnswerShape>>;
  /** Fields that the host reads in any shape, though nothing here writes them. */
  also?: AnswerTemplate;
  /** The reason of a denial that has none. */
  noReason?: string;
  /** What stderr says at a denial that has no reason. */
  noStderr?: string;
  /** What stderr says at a denial with an exit code; default: the reason. */
  stderr?: readonly AnswerField[];
  /** Stderr has the denial's text, even if the exit code is 0. */
  alwaysOnStderr?: true;
  /** At an exit code, stderr has the document, on hosts that read it there. */
  documentOnStderr?: true;
  /** Whether nothing is printed beside an optional exit code: the host would show it instead of stderr. */
  exitsWithoutDocument?: (settings: HostOptionValues) => boolean;
  /** Whether an optional exit code is wanted. */
  wantsExitCode?: (settings: HostOptionValues) => boolean;
  /** Converts a new result to what the document holds. */
  formatResult?: (output: unknown) => unknown;
  /** See `HostAnswer`. */
  unheard?: number;
  /** The document when there is nothing to say. Default: none. */
  neutral?: string;
  /** What stands before the document on its line, on hosts that find it by that in other output. */
  prefix?: string;
  /** See `HostAnswer`, on hosts that read `session_env` from a file. */
  appendEnv?: (env: Readonly<Record<string, string>>) => NonNullable<HostAnswer["append"]>;
}

function getField(field: AnswerField, values: AnswerValues): unknown {
  return field === "denial" ? (values.decision === "deny" ? values.reason : undefined) : values[field];
}

function joinValues(fields: readonly AnswerField[], values: AnswerValues): string | undefined {
  let text = "";
  for (const field of fields) {
    const value = getField(field, values);
    if (value) text = text ? `${text}\n\n${String(value)}` : String(value);
  }
  return text || undefined;
}

function getValue(value: AnswerValue, values: AnswerValues): unknown {
  if (value === "event") return values.event;
  if (typeof value === "string") return getField(value, values);
  if ("fields" in value) return fillTemplate(value.fields, values);
  if ("build" in value) return value.build(values);
  const { decision, input } = values;
  const written = (decision && value.decision[decision]) ?? (input && value.decision.rewrite);
  return typeof written === "object" ? written[0] : written;
}

/** Returns the document, or undefined if it holds nothing but the event's name. */
function fillTemplate(template: AnswerTemplate, values: AnswerValues): Payload | undefined {
  const document: Payload = {};
  let isEmpty = true;
  for (const name in template) {
    const source = template[name] as AnswerValue;
    const value = getValue(source, values);
    if (value === undefined) {
      if (typeof source === "object" && "required" in source) return undefined;
      continue;
    }
    document[name] = value;
    isEmpty &&= source === "event";
  }
  return isEmpty ? undefined : document;
}

/** Returns a host's encoder. */
export const createEncoder =
  <Shape extends string>(table: AnswerTable<Shape>): Host<Shape>["encodeAnswer"] =>
  (response, shape, native_event, settings) => {
    const row: AnswerShape = table.shapes[shape];
    const values = getValues(response, native_event, table, row);
    const { decision, env } = values;
    const template = (decision === "deny" ? row.denied : decision === "ask" ? row.asked : undefined) ?? row.fields;
    const document = fillTemplate(template, values);
    const denies = decision === "deny" && row.exitCode !== undefined;
    const exits = denies && (row.exitCode === "always" || wantsExitCode(table, settings));
    const hasDocument = !(exits && row.exitCode === "optional" && table.exitsWithoutDocument?.(settings));
    const stdout = hasDocument ? formatStdout(document, table) : "";
    const answer: HostAnswer = {
      stdout,
      stderr: exits || (denies && table.alwaysOnStderr) ? formatStderr(values, table) : "",
      exit_code: exits ? 2 : 0,
    };
    if (exits) Object.assign(answer, describeStderr(stdout, table));
    if (env && table.appendEnv) answer.append = table.appendEnv(env);
    return answer;
  };

/** Where a denial by exit code is read on stderr, what becomes of it there. */
const describeStderr = (document: string, { documentOnStderr, unheard }: AnswerTable): Partial<HostAnswer> => ({
  ...(unheard !== undefined && { unheard }),
  ...(documentOnStderr && { stderr: document, documentOnStderr }),
});

function formatStdout(document: Payload | undefined, { neutral = "", prefix = "" }: AnswerTable): string {
  if (!document) return neutral;
  const text = formatDocument(document);
  return text && prefix + text;
}
const formatStderr = (values: AnswerValues, { stderr = ["reason"], noStderr = "" }: AnswerTable): string =>
  joinValues(stderr, values) ?? noStderr;

const wantsExitCode = (table: AnswerTable, settings: HostOptionValues): boolean =>
  table.wantsExitCode?.(settings) === true || isStdoutPolluted();

function getValues(
  { decision, reason, output: raw, ...rest }: LoweredResponse,
  event: string,
  { formatResult, noReason }: AnswerTable,
  { replacesByDenial }: AnswerShape,
): AnswerValues {
  const output = formatResult && raw !== undefined ? formatResult(raw) : raw;
  return {
    event,
    decision: replacesByDenial && output !== undefined ? "deny" : decision,
    reason: decision === "deny" && !reason?.trim() ? noReason : reason,
    message: rest.user_message,
    context: rest.additional_context,
    input: rest.input,
    output,
    env: rest.session_env,
  };
}
