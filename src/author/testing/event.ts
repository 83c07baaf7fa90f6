import * as z from "zod";
import { type AnyEvent, type EventName, EVENTS } from "../../protocol/event.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { type Tool, type ToolCall, type ToolInputs, type ToolOutputs, TOOLS } from "../../protocol/tool.ts";

/** Fields that every event must have. */
type RequiredField = "event" | "tool" | "input" | "prompt";

/** An event with some fields omitted. `completeEvent` fills them in. */
export type GivenEvent = GivenFields<AnyEvent>;
type GivenFields<E> = E extends { tool: infer T extends Tool; output: unknown }
  ? Pick<E, Extract<keyof E, RequiredField>> &
      Partial<Omit<E, RequiredField | "output">> & { output?: Partial<ToolOutputs[T]> }
  : E extends unknown
    ? Pick<E, Extract<keyof E, RequiredField>> & Partial<Omit<E, RequiredField>>
    : never;

const createOptionalString = () => z.string().optional();
const optionalNumber = () => z.number().optional();
const createRecordSchema = () => z.record(z.string(), z.unknown());

const fileChangeSchema = z.strictObject({
  file_path: z.string(),
  operation: z.enum(["add", "update", "delete", "move"]),
  moved_to: createOptionalString(),
  edits: z.array(z.strictObject({ old_string: z.string(), new_string: z.string(), anchor: createOptionalString() })),
});

/** Input schemas, keyed by tool. */
const INPUT_SCHEMAS = {
  Bash: z.strictObject({
    command: z.string(),
    description: createOptionalString(),
    cwd: createOptionalString(),
    timeout_ms: optionalNumber(),
    run_in_background: z.boolean().optional(),
  }),
  Read: z.strictObject({
    file_path: z.string(),
    offset: optionalNumber(),
    limit: optionalNumber(),
    content: createOptionalString(),
  }),
  Write: z.strictObject({ file_path: z.string(), content: z.string() }),
  Edit: z.strictObject({ files: z.array(fileChangeSchema).min(1) }),
  Glob: z.strictObject({ pattern: z.string(), path: createOptionalString() }),
  Grep: z.strictObject({ pattern: z.string(), path: createOptionalString(), glob: createOptionalString() }),
  WebFetch: z.strictObject({ url: z.string(), prompt: createOptionalString() }),
  WebSearch: z.strictObject({ query: z.string() }),
  Task: z.strictObject({ prompt: z.string(), description: createOptionalString(), agent_type: createOptionalString() }),
  MCP: z.strictObject({ server: createOptionalString(), tool: z.string(), arguments: createRecordSchema() }),
  Other: createRecordSchema(),
} satisfies { [T in Tool]: z.ZodType<ToolInputs[T]> };

/** The output of a call. Every part is optional. */
const outputSchema = z.strictObject({
  text: createOptionalString(),
  raw: z.unknown().optional(),
  stdout: createOptionalString(),
  stderr: createOptionalString(),
  exit_code: optionalNumber(),
  is_error: z.boolean().optional(),
});

/** Fields of all events. */
const COMMON_FIELDS = {
  event: z.enum(EVENTS),
  native_event: createOptionalString(),
  host: createOptionalString(),
  host_version: createOptionalString(),
  session_id: createOptionalString(),
  cwd: createOptionalString(),
  transcript_path: createOptionalString(),
  model: createOptionalString(),
  permission_mode: createOptionalString(),
  agent_id: createOptionalString(),
  agent_type: createOptionalString(),
  _native: createRecordSchema().optional(),
};

const CALL_FIELDS = {
  tool: z.enum(TOOLS),
  tool_name: createOptionalString(),
  input: z.unknown().optional(),
  guessed: z.literal(true).optional(),
  tool_use_id: createOptionalString(),
};
const STOP_FIELDS = { last_message: createOptionalString(), continuations: optionalNumber() };

/** Additional fields of each event, keyed by event name. */
const EVENT_FIELDS = {
  SessionStart: { source: createOptionalString() },
  PreToolUse: CALL_FIELDS,
  PostToolUse: { ...CALL_FIELDS, output: outputSchema.optional(), duration_ms: optionalNumber() },
  UserPromptSubmit: { prompt: z.string(), attachments: z.array(z.string()).optional() },
  Stop: STOP_FIELDS,
  SessionEnd: { reason: createOptionalString() },
  PostToolUseFailure: { ...CALL_FIELDS, error: createOptionalString(), duration_ms: optionalNumber() },
  PermissionRequest: CALL_FIELDS,
  SubagentStart: { task: createOptionalString() },
  SubagentStop: STOP_FIELDS,
  PreCompact: { trigger: createOptionalString() },
  PostCompact: { trigger: createOptionalString() },
  Notification: { message: createOptionalString(), notification_type: createOptionalString() },
  Native: {},
} satisfies Record<EventName, z.ZodRawShape>;

/** Whether events with this name describe tool calls. */
export const isToolCallEvent = (event: EventName): boolean => "tool" in EVENT_FIELDS[event];

/** Lists the required fields of a tool's input. */
export const listRequiredFields = (tool: Tool): string[] => {
  const { shape = {} } = INPUT_SCHEMAS[tool] as { shape?: z.ZodRawShape };
  return Object.keys(shape).filter((name) => !z.safeParse(shape[name] as z.ZodType, undefined).success);
};

/** Default host, session and directory of an event. */
type EventOrigin = Pick<AnyEvent, "host" | "session_id" | "cwd">;

/**
 * Completes a partial event.
 * @throws Error with a one-line message that names the invalid or missing field.
 */
export function completeEvent(partialEvent: unknown, setting: EventOrigin): AnyEvent {
  const { event } = checkValue(z.looseObject({ event: COMMON_FIELDS.event }), partialEvent, "the event");
  const fields: EventFields = checkValue(
    z.strictObject({ ...COMMON_FIELDS, ...EVENT_FIELDS[event] }),
    partialEvent,
    `a ${event} event`,
  );
  const givenFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const fullEvent: EventFields = {
    native_event: event,
    ...setting,
    _native: {},
    ...DEFAULT_FIELDS[event],
    ...givenFields,
  };
  const { tool } = fields as { tool?: Tool };
  if (tool) {
    const input =
      fields.guessed && INPUT_SCHEMAS[tool] instanceof z.ZodObject ? INPUT_SCHEMAS[tool].loose() : INPUT_SCHEMAS[tool];
    fullEvent.input = checkValue(input, fields.input ?? {}, `a call of ${tool}`, "input");
    fullEvent.tool_name ??= getToolName(fullEvent as EventFields & ToolCall);
    if (event === "PostToolUse") fullEvent.output = completeOutput(fields.output as Partial<ToolOutputs["Bash"]>);
  }
  return fullEvent as unknown as AnyEvent;
}

type EventFields = Record<string, unknown>;

/** Default values for fields that an event always has. */
const DEFAULT_FIELDS: Partial<Record<EventName, object>> = {
  Stop: { continuations: 0 },
  SubagentStop: { continuations: 0 },
  PostToolUseFailure: { error: "" },
  Notification: { message: "" },
};

/** Returns the name that most hosts use for a tool. */
function getToolName({ tool, input }: ToolCall): string {
  if (tool !== "MCP") return tool;
  return input.server ? `mcp__${input.server}__${input.tool}` : input.tool;
}

function completeOutput(output: Partial<ToolOutputs["Bash"]> = {}): ToolOutputs["Bash"] {
  const { stdout = "", stderr = "", text = stdout + stderr } = output;
  return { raw: text, ...output, text };
}

/** Maximum number of names listed in a message. If there are more, the message suggests the closest name instead. */
const MAX_LISTED_NAMES = 6;

/** Validates a value. `prefix` is the value's path in messages. @throws Error that describes the first problem. */
function checkValue<S extends z.ZodType>(schema: S, value: unknown, subject: string, prefix = ""): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // Report an unknown field first, because a misspelled field also shows up as a missing one.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? (issues[0] as z.core.$ZodIssue);
  const path = (name?: PropertyKey) => [prefix, ...issue.path, name ?? ""].filter((part) => part !== "").join(".");
  const invalidValue = issue.path.reduce<unknown>((at, key) => (at as EventFields | undefined)?.[key as string], value);
  const knownNames = issue.path.length === 0 && "shape" in schema ? Object.keys(schema.shape as object) : [];
  const list = (names: readonly string[]) => (names.length > 0 ? `; known: ${names.join(", ")}` : "");
  const formatSuggestion = (name: string, names: readonly string[]) =>
    (names.length > MAX_LISTED_NAMES && suggestName(name, names)) || list(names);
  if (issue.code === "unrecognized_keys")
    throw new Error(`${subject} has no ${path(issue.keys[0])}${formatSuggestion(issue.keys[0] ?? "", knownNames)}`);
  const names = issue.code === "invalid_value" ? issue.values.map(String) : [];
  if (invalidValue === undefined) throw new Error(`${subject} needs ${path()}${formatSuggestion("", names)}`);
  if (names.length > 0)
    throw new Error(
      `unknown ${path()} ${JSON.stringify(invalidValue)}${formatSuggestion(String(invalidValue), names)}`,
    );
  throw new Error(`${subject}: ${[path(), issue.message.replace(/^Invalid input: /, "")].filter(Boolean).join(": ")}`);
}
