import { type AnyEvent, type EventName, isToolCallEvent } from "./event.ts";
import type { HookDescriptor } from "./hook.ts";
import { type CallEvent, shellCall, type ShellCall } from "./shell-call.ts";
import { callNames, lacksServer, TOOLS } from "./tool.ts";

/** One of a matcher's alternatives: which tools, and what their arguments have to be like. */
export interface MatcherAlternative {
  /** The tool's name, or a regular expression over the whole of it. */
  name: string;
  /** What stands in parentheses: a pattern of a simple command. Only of shell lines. */
  argument?: string;
}

/**
 * The alternatives of a matcher, which `|` and `,` separate: `*` or nothing is all (no alternatives), a plain name is that name,
 * anything else is a regular expression over the whole name. `Bash(git push*)` asks for shell lines with such a command.
 * @throws Error when it is no valid matcher.
 */
export function parseMatcher(matcher: string): readonly MatcherAlternative[] {
  if (matcher === "" || matcher === "*") return [];
  return splitAlternatives(matcher).map((part) => {
    const createMatcherError = (what: string) => new Error(`matcher "${matcher}" ${what}`);
    if (part === "") throw createMatcherError("has an empty alternative");
    const at = part.indexOf("(");
    if (at < 0) {
      if (part.includes(")")) throw createMatcherError('has a ")" that opens nowhere');
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

/** Parts between `|` and `,` outside of parentheses. */
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

const compileNamePattern = (name: string) => new RegExp(`^(?:${name === "*" ? ".*" : name})$`);

/** The events before a call, at which one of an MCP tool may be judged as one of the shell. */
const GATE_EVENTS: readonly EventName[] = ["PreToolUse", "PermissionRequest"];

/**
 * Whether a hook wants this event, as far as names tell. `"argument"`: it does if a command of the shell line fits its matcher;
 * `"server"`: if the call, which does not name its MCP server, is of one that its matcher means.
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

/** Names of two servers with nothing in common: what fits both means no server in particular. */
const SAMPLE_SERVERS = ["a", "Z_9-z"];
const isPatternForAnyServer = (name: string, tool: string) =>
  SAMPLE_SERVERS.every((server) => compileNamePattern(name).test(`mcp__${server}__${tool}`));
/** Letters at its beginning that stand for themselves. */
const readLiteralPrefix = (name: string) => /^[\w:-]*(?![?*+{])/.exec(name)?.[0] ?? "";
const mayBeginServerName = (start: string) => start.startsWith("mcp__") || "mcp__".startsWith(start);

/** Whether an alternative asks for the tools of some MCP servers and not of others, as far as its letters tell. */
export const isServerSpecific = (name: string): boolean =>
  mayBeginServerName(readLiteralPrefix(name)) && !isPatternForAnyServer(name, "t_9-Z");

function matchUnnamedServer(matcher: string, tool: string): boolean | "server" {
  const names = parseMatcher(matcher).map(({ name }) => name);
  if (names.some((name) => isPatternForAnyServer(name, tool))) return true;
  return names.some((name) => mayMeanServer(name, `__${tool}`)) && "server";
}

/** Whether a pattern fits the tool's name behind that of some server. It has no groups, so each of its parts stands by itself. */
function mayMeanServer(name: string, end: string): boolean {
  const start = readLiteralPrefix(name);
  if (!mayBeginServerName(start)) return false;
  // Counted repetitions can't be told apart.
  if (name.includes("{")) return true;
  for (let at = start.startsWith("mcp__") ? 5 : 0; at < name.length; at++) {
    try {
      if (new RegExp(`^(?:${name.slice(at)})$`).test(end)) return true;
    } catch {
      // The middle of a part.
    }
  }
  return false;
}

/** Whether a hook wants an MCP call because its arguments hold a shell line. */
function matchShellCall(hook: HookDescriptor, event: CallEvent): boolean | "argument" | "server" {
  if (hook.tools && !hook.tools.includes("Bash")) return false;
  const shell = shellCall(event);
  return shell !== undefined && matchToolCall(hook, shell, [...callNames(event), "Bash"]);
}

/**
 * The event as a hook that wants it is shown it: a call whose tool is a guess is `Other` to a hook that asks for that alone, and an MCP
 * call is one of the shell to a hook that would not be asked about it otherwise.
 */
export function presentEvent(hook: HookDescriptor, event: AnyEvent): AnyEvent {
  if (!isToolCallEvent(event)) return event;
  if (event.tool === "MCP") return matchToolCall(hook, event) ? event : (shellCall(event) ?? event);
  return hook.tools && !hook.tools.includes(event.tool) ? ({ ...event, tool: "Other" } as AnyEvent) : event;
}

/** The alternatives that one of the names fits; nothing where all do. */
function findFittingAlternatives(matcher: string, names: readonly string[]): MatcherAlternative[] | undefined {
  const all = parseMatcher(matcher);
  return all.length === 0
    ? undefined
    : all.filter(({ name }) => names.some((one) => compileNamePattern(name).test(one)));
}

/** The argument patterns of a matcher that count for a call of the shell. */
export const listArgumentPatterns = (matcher: string, event: ShellCall): string[] =>
  (findFittingAlternatives(matcher, [...callNames(event), "Bash"]) ?? []).flatMap(({ argument }) => argument ?? []);
