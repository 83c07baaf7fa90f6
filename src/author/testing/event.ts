import * as z from "zod";
import { type AnyEvent, type EventName, EVENTS } from "../../protocol/event.ts";
import { hint } from "../../protocol/near.ts";
import { type Tool, type ToolCall, type ToolInputs, type ToolOutputs, TOOLS } from "../../protocol/tool.ts";

/** What an event can't do without. */
type Needed = "event" | "tool" | "input" | "prompt";

/** An event of which only what matters is said; `completed` fills in the rest. */
export type GivenEvent = Given<AnyEvent>;
type Given<E> = E extends { tool: infer T extends Tool; output: unknown }
  ? Pick<E, Extract<keyof E, Needed>> & Partial<Omit<E, Needed | "output">> & { output?: Partial<ToolOutputs[T]> }
  : E extends unknown
    ? Pick<E, Extract<keyof E, Needed>> & Partial<Omit<E, Needed>>
    : never;

const text = () => z.string().optional();
const number = () => z.number().optional();
const anything = () => z.record(z.string(), z.unknown());

const FileChange = z.strictObject({
  file_path: z.string(),
  operation: z.enum(["add", "update", "delete", "move"]),
  moved_to: text(),
  edits: z.array(z.strictObject({ old_string: z.string(), new_string: z.string(), anchor: text() })),
});

/** What each tool is called with. */
const INPUTS = {
  Bash: z.strictObject({
    command: z.string(),
    description: text(),
    cwd: text(),
    timeout_ms: number(),
    run_in_background: z.boolean().optional(),
  }),
  Read: z.strictObject({ file_path: z.string(), offset: number(), limit: number(), content: text() }),
  Write: z.strictObject({ file_path: z.string(), content: z.string() }),
  Edit: z.strictObject({ files: z.array(FileChange).min(1) }),
  Glob: z.strictObject({ pattern: z.string(), path: text() }),
  Grep: z.strictObject({ pattern: z.string(), path: text(), glob: text() }),
  WebFetch: z.strictObject({ url: z.string(), prompt: text() }),
  WebSearch: z.strictObject({ query: z.string() }),
  Task: z.strictObject({ prompt: z.string(), description: text(), agent_type: text() }),
  MCP: z.strictObject({ server: text(), tool: z.string(), arguments: anything() }),
  Other: anything(),
} satisfies { [T in Tool]: z.ZodType<ToolInputs[T]> };

/** What a call gave, each part left out where it does not matter. */
const Output = z.strictObject({
  text: text(),
  raw: z.unknown().optional(),
  stdout: text(),
  stderr: text(),
  exit_code: number(),
  is_error: z.boolean().optional(),
});

/** What may be said of every event. */
const COMMON = {
  event: z.enum(EVENTS),
  native_event: text(),
  host: text(),
  host_version: text(),
  session_id: text(),
  cwd: text(),
  transcript_path: text(),
  model: text(),
  permission_mode: text(),
  agent_id: text(),
  agent_type: text(),
  _native: anything().optional(),
};

const call = {
  tool: z.enum(TOOLS),
  tool_name: text(),
  input: z.unknown().optional(),
  guessed: z.literal(true).optional(),
  tool_use_id: text(),
};
const stop = { last_message: text(), continuations: number() };

/** What may be said of each event besides. */
const FIELDS = {
  SessionStart: { source: text() },
  PreToolUse: call,
  PostToolUse: { ...call, output: Output.optional(), duration_ms: number() },
  UserPromptSubmit: { prompt: z.string(), attachments: z.array(z.string()).optional() },
  Stop: stop,
  SessionEnd: { reason: text() },
  PostToolUseFailure: { ...call, error: text(), duration_ms: number() },
  PermissionRequest: call,
  SubagentStart: { task: text() },
  SubagentStop: stop,
  PreCompact: { trigger: text() },
  PostCompact: { trigger: text() },
  Notification: { message: text(), notification_type: text() },
  Native: {},
} satisfies Record<EventName, z.ZodRawShape>;

/** Whether events of this name are about tool calls. */
export const isAboutCall = (event: EventName): boolean => "tool" in FIELDS[event];

/** The fields that a call of a tool must have. */
export const neededBy = (tool: Tool): string[] => {
  const { shape = {} } = INPUTS[tool] as { shape?: z.ZodRawShape };
  return Object.keys(shape).filter((name) => !z.safeParse(shape[name] as z.ZodType, undefined).success);
};

/** Where an event happens, as far as it does not say so itself. */
export type Setting = Pick<AnyEvent, "host" | "session_id" | "cwd">;

/**
 * The whole event of which somebody gave what matters.
 * @throws Error that names the field which is wrong or missing, in one line.
 */
export function completed(given: unknown, setting: Setting): AnyEvent {
  const { event } = checked(z.looseObject({ event: COMMON.event }), given, "the event");
  const fields: Fields = checked(z.strictObject({ ...COMMON, ...FIELDS[event] }), given, `a ${event} event`);
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const whole: Fields = { native_event: event, ...setting, _native: {}, ...FILLED[event], ...said };
  const { tool } = fields as { tool?: Tool };
  if (tool) {
    const input = fields.guessed && INPUTS[tool] instanceof z.ZodObject ? INPUTS[tool].loose() : INPUTS[tool];
    whole.input = checked(input, fields.input ?? {}, `a call of ${tool}`, "input");
    whole.tool_name ??= nameOf(whole as Fields & ToolCall);
    if (event === "PostToolUse") whole.output = outputOf(fields.output as Partial<ToolOutputs["Bash"]>);
  }
  return whole as unknown as AnyEvent;
}

type Fields = Record<string, unknown>;

/** What an event has, whether or not anybody says so. */
const FILLED: Partial<Record<EventName, object>> = {
  Stop: { continuations: 0 },
  SubagentStop: { continuations: 0 },
  PostToolUseFailure: { error: "" },
  Notification: { message: "" },
};

/** A tool by the name that most hosts have for it. */
function nameOf({ tool, input }: ToolCall): string {
  if (tool !== "MCP") return tool;
  return input.server ? `mcp__${input.server}__${input.tool}` : input.tool;
}

function outputOf(given: Partial<ToolOutputs["Bash"]> = {}): ToolOutputs["Bash"] {
  const { stdout = "", stderr = "", text = stdout + stderr } = given;
  return { raw: text, ...given, text };
}

/** So many names are listed rather than guessed at. */
const FEW = 6;

/** @throws Error with the first thing that is wrong; `place` is where the value stands in what was given. */
function checked<S extends z.ZodType>(schema: S, value: unknown, what: string, place = ""): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // A misspelt field explains the one that is missing.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? (issues[0] as z.core.$ZodIssue);
  const path = (name?: PropertyKey) => [place, ...issue.path, name ?? ""].filter((part) => part !== "").join(".");
  const found = issue.path.reduce<unknown>((at, key) => (at as Fields | undefined)?.[key as string], value);
  const known = issue.path.length === 0 && "shape" in schema ? Object.keys(schema.shape as object) : [];
  const list = (names: readonly string[]) => (names.length > 0 ? `; known: ${names.join(", ")}` : "");
  const meant = (name: string, names: readonly string[]) => (names.length > FEW && hint(name, names)) || list(names);
  if (issue.code === "unrecognized_keys")
    throw new Error(`${what} has no ${path(issue.keys[0])}${meant(issue.keys[0] ?? "", known)}`);
  const names = issue.code === "invalid_value" ? issue.values.map(String) : [];
  if (found === undefined) throw new Error(`${what} needs ${path()}${meant("", names)}`);
  if (names.length > 0) throw new Error(`there is no ${path()} ${JSON.stringify(found)}${meant(String(found), names)}`);
  throw new Error(`${what}: ${[path(), issue.message.replace(/^Invalid input: /, "")].filter(Boolean).join(": ")}`);
}
