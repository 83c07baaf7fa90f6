import type { Host, HostAnswer, HostOptionValues, LoweredResponse } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { Decision } from "../../protocol/response.ts";
import { formatDocument, isStdoutPolluted } from "./wire.ts";

// A host's answer format is a table that assigns values to document fields, separately for each answer shape. This file
// encodes answers; `answer-reader.ts` decodes them for `doctor` and for scripts.

/**
 * Names of the values that an answer document can contain. `denial` is the reason if the decision is "deny" and is
 * empty otherwise.
 */
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

/** The values that a host uses for each decision. The encoder writes the first one; the host accepts all of them. */
type DecisionValues = Readonly<Partial<Record<Decision | "rewrite", string | boolean | readonly (string | boolean)[]>>>;

/** The content of one document field. "event" stands for the event's native name. */
export type AnswerValue =
  | AnswerField
  | "event"
  | { readonly decision: DecisionValues; readonly required?: true }
  | { readonly fields: AnswerTemplate }
  | { readonly field: AnswerField; readonly build: (values: AnswerValues) => unknown };

export type AnswerTemplate = Readonly<Record<string, AnswerValue>>;

/**
 * Writes the decision. If the input changed and the table has no entry for this decision, writes the `rewrite` value
 * instead.
 * @param required if set, omits the enclosing object when there is no decision
 */
export const writeDecision = (decision: DecisionValues, required?: "required"): AnswerValue =>
  required ? { decision, required: true } : { decision };

/** Writes a nested object, or nothing if it would contain only the event's name. */
export const nestFields = (fields: AnswerTemplate): AnswerValue => ({ fields });

/** Joins values into paragraphs. When an answer is read back, the joined text becomes the value of `field`. */
export const joinFields = (field: AnswerField, ...parts: readonly AnswerField[]): AnswerValue => ({
  field,
  build: (values) => joinValues(parts, values),
});

/** Writes a computed value. When an answer is read back, this value becomes the value of `field`. */
export const buildField = (field: AnswerField, build: (values: AnswerValues) => unknown): AnswerValue => ({
  field,
  build,
});

export interface AnswerShape {
  /** The fields, in document order. */
  fields: AnswerTemplate;
  /** Document fields for a denial; defaults to `fields`. */
  deniedFields?: AnswerTemplate;
  /** Document fields for an "ask"; defaults to `fields`. */
  askedFields?: AnswerTemplate;
  /** Whether a denial always uses exit code 2 or does so only if an option requests it or stdout is polluted. */
  exitCode?: "always" | "optional";
  /** Whether to send a modified result as a denial, because the host can't replace a result. */
  replacesByDenial?: true;
  /** Whether the host ignores a denial without a reason. */
  needsReason?: true;
  /** Fields of this shape that the host reads but the encoder never writes. */
  acceptedFields?: AnswerTemplate;
}

export interface AnswerTable<Shape extends string = string> {
  shapes: Readonly<Record<Shape, AnswerShape>>;
  /** Fields that the host reads in every shape but the encoder never writes. */
  acceptedFields?: AnswerTemplate;
  /** The default reason for a denial. */
  noReason?: string;
  /** What to print on stderr for a denial without a reason. */
  noStderr?: string;
  /** The values to print on stderr when the exit code denies; defaults to the reason. */
  stderr?: readonly AnswerField[];
  /** Whether to print a denial's text on stderr even with exit code 0. */
  alwaysOnStderr?: true;
  /** Whether the host reads the document from stderr when the exit code denies. */
  documentOnStderr?: true;
  /**
   * Whether to omit the document if the denial uses an optional exit code, because the host would show the document
   * instead of stderr.
   */
  exitsWithoutDocument?: (settings: HostOptionValues) => boolean;
  /** Whether the options request a denial by exit code for shapes where that is optional. */
  wantsExitCode?: (settings: HostOptionValues) => boolean;
  /** Converts a modified result to the document's format. */
  formatResult?: (output: unknown) => unknown;
  /** Exit code to use if stderr is closed. See `HostAnswer`. */
  exitCodeIfStderrClosed?: number;
  /** The document to print when the response is empty; by default, nothing is printed. */
  neutral?: string;
  /** Marker to print before the document, for hosts that search mixed output for an answer. */
  prefix?: string;
  /** Appends `session_env` to a file, for hosts that read session variables from a file. See `HostAnswer`. */
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
  const decisionValue = (decision && value.decision[decision]) ?? (input && value.decision.rewrite);
  return typeof decisionValue === "object" ? decisionValue[0] : decisionValue;
}

/** Builds the document; returns undefined if it would contain only the event's name. */
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

export const createEncoder =
  <Shape extends string>(table: AnswerTable<Shape>): Host<Shape>["encodeAnswer"] =>
  (response, shape, native_event, settings) => {
    const row: AnswerShape = table.shapes[shape];
    const values = getValues(response, native_event, table, row);
    const { decision, env } = values;
    const template =
      (decision === "deny" ? row.deniedFields : decision === "ask" ? row.askedFields : undefined) ?? row.fields;
    const document = fillTemplate(template, values);
    const isDenial = decision === "deny" && row.exitCode !== undefined;
    const exitsWithCode = isDenial && (row.exitCode === "always" || wantsExitCode(table, settings));
    const hasDocument = !(exitsWithCode && row.exitCode === "optional" && table.exitsWithoutDocument?.(settings));
    const stdout = hasDocument ? formatStdout(document, table) : "";
    const answer: HostAnswer = {
      stdout,
      stderr: exitsWithCode || (isDenial && table.alwaysOnStderr) ? formatStderr(values, table) : "",
      exit_code: exitsWithCode ? 2 : 0,
    };
    if (exitsWithCode) Object.assign(answer, describeStderr(stdout, table));
    if (env && table.appendEnv) answer.append = table.appendEnv(env);
    return answer;
  };

/** Returns the stderr fields of an answer that denies by exit code. */
const describeStderr = (
  document: string,
  { documentOnStderr, exitCodeIfStderrClosed }: AnswerTable,
): Partial<HostAnswer> => ({
  ...(exitCodeIfStderrClosed !== undefined && { exitCodeIfStderrClosed }),
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
