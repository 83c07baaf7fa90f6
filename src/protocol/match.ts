import { type AnyEvent, type EventName, isToolCallEvent } from "./event.ts";
import type { HookDescriptor } from "./hook.ts";
import { type CallEvent, shellCall, type ShellCall } from "./shell-call.ts";
import { callNames, lacksServer, TOOLS } from "./tool.ts";

/** One alternative of a matcher. */
export interface MatcherAlternative {
  /** The tool's name, or a regular expression for the whole name. */
  name: string;
  /** The pattern of a simple command, from the parentheses. Only for shell lines. */
  argument?: string;
}

/**
 * Parses a matcher into its alternatives, which `|` and `,` separate. `*` or an empty matcher means all (no
 * alternatives), a plain name is that name, and anything else is a regular expression for the whole name.
 * `Bash(git push*)` matches shell lines with such a command.
 * @throws Error when the matcher is invalid.
 */
export function parseMatcher(matcher: string): readonly MatcherAlternative[] {
  if (matcher === "" || matcher === "*") return [];
  return splitAlternatives(matcher).map((part) => {
    const createMatcherError = (what: string) => new Error(`matcher "${matcher}" ${what}`);
    if (part === "") throw createMatcherError("has an empty alternative");
    const at = part.indexOf("(");
    if (at < 0) {
      if (part.includes(")")) throw createMatcherError('has an unmatched ")"');
      compileNamePattern(part);
      return { name: part };
    }
    const name = part.slice(0, at);
    if (!part.endsWith(")")) {
      const advice = name === "Bash" ? "write Bash(git push*)" : "parentheses hold an argument, as in Bash(git push*)";
      throw createMatcherError(`has a "(" that is not closed at its end; ${advice}`);
    }
    const argument = part.slice(at + 1, -1).trim();
    if (!/^\w+$/.test(name))
      throw createMatcherError(
        "has parentheses without a tool's name before them; they hold an argument, as in Bash(git push*)",
      );
    if (argument.includes("|") && name.startsWith("mcp__")) {
      const written = argument.split("|").map((one) => name + one);
      throw createMatcherError(
        `has parentheses in a regular expression; they hold an argument, as in Bash(git push*): write ${written.join("|")}`,
      );
    }
    if (name !== "Bash" && ((TOOLS as readonly string[]).includes(name) || name.startsWith("mcp__")))
      throw createMatcherError(
        `asks for arguments of ${name}, which only Bash has here; look at event.input or paths(event) in the handler`,
      );
    return argument === "" || argument === "*" ? { name } : { name, argument };
  });
}

/** Splits at `|` and `,` outside of parentheses. */
function splitAlternatives(matcher: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < matcher.length; at++) {
    const letter = matcher[at];
    if (letter === "(") depth++;
    else if (letter === ")") depth--;
    else if (depth === 0 && (letter === "|" || letter === ",")) {
      parts.push(matcher.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, matcher.slice(from)].map((part) => part.trim());
}

/** The whole names that an alternative of a matcher fits. */
export const compileNamePattern = (name: string): RegExp => new RegExp(`^(?:${name === "*" ? ".*" : name})$`);

/** Events before a call, at which an MCP call may be judged as a shell call. */
const GATE_EVENTS: readonly EventName[] = ["PreToolUse", "PermissionRequest"];

/**
 * Whether a hook wants this event, judged by names. `"argument"`: only if a command of the shell line matches its
 * matcher. `"server"`: only if the call, which does not name its MCP server, belongs to one that the matcher names.
 */
export function matchHook(hook: HookDescriptor, event: AnyEvent): boolean | "argument" | "server" {
  if (!hook.events.includes(event.event)) return false;
  if (!isToolCallEvent(event)) return true;
  return (
    matchToolCall(hook, event) ||
    (event.tool === "MCP" && GATE_EVENTS.includes(event.event) && matchShellCall(hook, event))
  );
}

function matchToolCall(
  { tools, matcher }: HookDescriptor,
  event: CallEvent,
  names = callNames(event),
): boolean | "argument" | "server" {
  if (tools && !tools.includes(event.tool) && !(event.guessed && tools.includes("Other"))) return false;
  if (!matcher) return true;
  const fitting = findFittingAlternatives(matcher, names);
  if (fitting === undefined) return true;
  if (fitting.some(({ argument }) => argument === undefined)) return true;
  if (lacksServer(event)) return matchUnnamedServer(matcher, event.input.tool);
  return fitting.length > 0 && event.tool === "Bash" ? "argument" : false;
}

/** Two server names with nothing in common: a pattern that matches both is not specific to a server. */
const SAMPLE_SERVERS = ["a", "Z_9-z"];
const isPatternForAnyServer = (name: string, tool: string) =>
  SAMPLE_SERVERS.every((server) => compileNamePattern(name).test(`mcp__${server}__${tool}`));
/** The literal prefix of a pattern. */
const readLiteralPrefix = (name: string) => /^[\w:-]*(?![?*+{])/.exec(name)?.[0] ?? "";
const mayBeginServerName = (start: string) => start.startsWith("mcp__") || "mcp__".startsWith(start);

/** Whether an alternative names particular MCP servers, judged by its text. */
export const isServerSpecific = (name: string): boolean =>
  mayBeginServerName(readLiteralPrefix(name)) && !isPatternForAnyServer(name, "t_9-Z");

function matchUnnamedServer(matcher: string, tool: string): boolean | "server" {
  const names = parseMatcher(matcher).map(({ name }) => name);
  if (names.some((name) => isPatternForAnyServer(name, tool))) return true;
  return names.some((name) => mayMeanServer(name, `__${tool}`)) && "server";
}

/**
 * Whether a pattern may match the tool's name after some server's. The pattern has no groups, so it can be split
 * anywhere.
 */
function mayMeanServer(name: string, end: string): boolean {
  const start = readLiteralPrefix(name);
  if (!mayBeginServerName(start)) return false;
  // Counted repetitions can't be split.
  if (name.includes("{")) return true;
  for (let at = start.startsWith("mcp__") ? 5 : 0; at < name.length; at++) {
    try {
      if (new RegExp(`^(?:${name.slice(at)})$`).test(end)) return true;
    } catch {
      // Not a boundary: the next character belongs to the same part.
    }
  }
  return false;
}

/** Whether a hook wants an MCP call because its arguments contain a shell line. */
function matchShellCall(hook: HookDescriptor, event: CallEvent): boolean | "argument" | "server" {
  if (hook.tools && !hook.tools.includes("Bash")) return false;
  const shell = shellCall(event);
  return shell !== undefined && matchToolCall(hook, shell, [...callNames(event), "Bash"]);
}

/**
 * Adapts the event to a hook that wants it. A call with a guessed tool is `Other` to a hook that only asks for `Other`,
 * and an MCP call is a shell call to a hook that would not see it otherwise.
 */
export function presentEvent(hook: HookDescriptor, event: AnyEvent): AnyEvent {
  if (!isToolCallEvent(event)) return event;
  if (event.tool === "MCP") return matchToolCall(hook, event) ? event : (shellCall(event) ?? event);
  return hook.tools && !hook.tools.includes(event.tool) ? ({ ...event, tool: "Other" } as AnyEvent) : event;
}

/** Returns the alternatives that match one of the names; undefined if the matcher matches everything. */
function findFittingAlternatives(matcher: string, names: readonly string[]): MatcherAlternative[] | undefined {
  const all = parseMatcher(matcher);
  return all.length === 0
    ? undefined
    : all.filter(({ name }) => names.some((one) => compileNamePattern(name).test(one)));
}

/** Returns a matcher's argument patterns that apply to a shell call. */
export const listArgumentPatterns = (matcher: string, event: ShellCall): string[] =>
  (findFittingAlternatives(matcher, [...callNames(event), "Bash"]) ?? []).flatMap(({ argument }) => argument ?? []);
