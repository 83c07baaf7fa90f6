import { type AnyEvent, type EventOf, isToolCallEvent } from "./event.ts";
import { findShellInput } from "./shell-fields.ts";
import type { ToolCall } from "./tool.ts";

/** An event about a tool call. */
export type CallEvent = Extract<AnyEvent, { tool: ToolCall["tool"] }>;
/** The shell call that corresponds to an event. */
export type ShellCall<E extends AnyEvent = AnyEvent> = Extract<EventOf<E["event"]>, { tool: "Bash" }>;

/** Cached shell calls for MCP calls; undefined for an MCP call that isn't a shell call. */
const shellCallCache = new WeakMap<CallEvent, ShellCall | undefined>();

/**
 * Returns the event as a shell call. If the event's tool is `Bash`, returns the event itself. If an MCP tool's
 * arguments contain a shell command (`run_command {"command": "rm -rf /"}`), returns a guessed `Bash` call whose
 * `input` contains all of the tool's arguments. Returns undefined for any other event.
 */
export function shellCall<E extends AnyEvent>(event: E): ShellCall<E> | undefined {
  return findShellCall(event) as ShellCall<E> | undefined;
}

function findShellCall(event: AnyEvent): ShellCall | undefined {
  if (!isToolCallEvent(event)) return undefined;
  if (event.tool === "Bash") return event;
  if (event.tool !== "MCP") return undefined;
  if (!shellCallCache.has(event)) shellCallCache.set(event, guessShellCall(event));
  return shellCallCache.get(event);
}

function guessShellCall(event: Extract<CallEvent, { tool: "MCP" }>): ShellCall | undefined {
  const { tool, arguments: given } = event.input;
  const shell = findShellInput(`${event.tool_name} ${tool}`, given);
  if (!shell) return undefined;
  const { command, cwd } = shell;
  const input = Object.freeze({ ...given, command, ...(cwd !== undefined && { cwd }) });
  return Object.freeze({ ...event, tool: "Bash", guessed: true, input }) as ShellCall;
}

/**
 * Translates a patch for a shell call into one for the original MCP call. If that fails, returns the patch unchanged,
 * which the host then rejects.
 */
export function patchShellArguments(
  event: AnyEvent,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (!isToolCallEvent(event) || event.tool !== "MCP") return { ...patch };
  const { tool, arguments: given } = event.input;
  const { field } = findShellInput(`${event.tool_name} ${tool}`, given) ?? {};
  const changedInput = { ...given };
  for (const key in patch) {
    const name = key === "command" ? field : key;
    // This key doesn't correspond to any field of the original input.
    if (name === undefined || !Object.hasOwn(given, name)) return { ...patch };
    changedInput[name] = patch[key];
  }
  return { arguments: changedInput };
}
