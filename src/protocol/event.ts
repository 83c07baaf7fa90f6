import type { FinishedCall, Tool, ToolCall } from "./tool.ts";

/** Fields of every event. */
export interface EventBase<E extends string> {
  /** Unified event name. */
  event: E;
  /** The host's own name for the event, e.g. `beforeShellExecution`. */
  native_event: string;
  /** Host id, as in `--host <id>`. */
  host: string;
  /** The host's version, if the payload contains it. */
  host_version?: string;
  /** Session id; empty if the host doesn't send one. */
  session_id: string;
  /** Working directory of the session; empty if the host doesn't send one. */
  cwd: string;
  /** Directories open in the host, main directory first; absent if the payload names none. */
  workspace_roots?: readonly string[];
  transcript_path?: string;
  model?: string;
  permission_mode?: string;
  /** Id of the subagent; absent outside subagents. */
  agent_id?: string;
  agent_type?: string;
  /** The host's payload, unchanged. */
  _native: Record<string, unknown>;
}

interface ToolUseFields {
  /** Id of the tool call; absent if the host doesn't send one. */
  tool_use_id?: string;
}

/** Fields of a shell command embedded in a skill or slash command. The command runs when the skill's text is loaded. */
interface SkillLineFields {
  /** Name of the skill or slash command that contains the shell command. */
  command_name?: string;
  /** Who loaded the skill or slash command, as named by the host, e.g. `user`. */
  invoked_by?: string;
}

interface ContinuationFields {
  /** The agent's last message; absent if the host doesn't send it. */
  last_message?: string;
  /** How many times in a row hooks have already made the agent continue. */
  continuations: number;
}

/** All unified events, keyed by name. A handler for `E` receives `Events[E]`. */
export interface Events {
  SessionStart: EventBase<"SessionStart"> & { source?: string };
  PreToolUse: EventBase<"PreToolUse"> & ToolUseFields & ToolCall & SkillLineFields;
  PostToolUse: EventBase<"PostToolUse"> & ToolUseFields & FinishedCall & { duration_ms?: number };
  UserPromptSubmit: EventBase<"UserPromptSubmit"> & {
    prompt: string;
    /** Paths of attached files, if the host lists them or the prompt references them in the host's syntax. */
    attachments?: string[];
  };
  Stop: EventBase<"Stop"> & ContinuationFields;
  SessionEnd: EventBase<"SessionEnd"> & { reason?: string };
  PostToolUseFailure: EventBase<"PostToolUseFailure"> &
    ToolUseFields &
    ToolCall & { error: string; duration_ms?: number };
  PermissionRequest: EventBase<"PermissionRequest"> & ToolCall;
  SubagentStart: EventBase<"SubagentStart"> & { task?: string };
  SubagentStop: EventBase<"SubagentStop"> & ContinuationFields;
  PreCompact: EventBase<"PreCompact"> & { trigger?: string };
  PostCompact: EventBase<"PostCompact"> & { trigger?: string };
  Notification: EventBase<"Notification"> & { message: string; notification_type?: string };
  /**
   * Any other native event of the host. `native_event` contains the event's name, and `_native` contains its payload.
   */
  Native: EventBase<"Native">;
}

export type EventName = keyof Events;
export type AnyEvent = Events[EventName];
/** An event about a tool call. */
export type CallEvent = Extract<AnyEvent, { tool: Tool }>;

/** `Events[E]`, narrowed to calls of the tools `T` if the event is about a tool call. */
export type EventOf<E extends EventName, T extends Tool = Tool> = E extends EventName
  ? Events[E] extends { tool: Tool }
    ? Extract<Events[E], { tool: T }>
    : Events[E]
  : never;

export const EVENTS = [
  "SessionStart",
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SessionEnd",
  "PostToolUseFailure",
  "PermissionRequest",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Notification",
  "Native",
] as const satisfies EventName[];

type CallEventName = { [E in EventName]: Events[E] extends { tool: Tool } ? E : never }[EventName];

/** Events about tool calls. */
export const CALL_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
] as const satisfies CallEventName[];

/** Returns whether the event is about a tool call. */
export function isToolCallEvent(event: AnyEvent): event is CallEvent {
  return "tool" in event;
}
