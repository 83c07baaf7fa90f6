import { type AnyEvent, type EventName, isToolCallEvent } from "./event.ts";
import type { HookDescriptor } from "./hook.ts";
import { type CallEvent, shellCall, type ShellCall } from "./shell-call.ts";
import { callNames, isWithoutServer, TOOLS } from "./tool.ts";

/** One alternative of a matcher. */
export interface MatcherAlternative {
  /** A tool name, or a regular expression that matches the whole name. */
  name: string;
  /** The pattern in parentheses, which is compared with simple commands. Only allowed for shell commands. */
  argument?: string;
}

/**
 * Parses a matcher into its alternatives, separated by `|` or `,`. `*` or an empty matcher matches all tools and yields
 * no alternatives. A plain name matches that name; anything else is a regular expression for the whole name.
 * `Bash(git push*)` matches shell commands that contain a simple command of that form.
 * @throws Error if the matcher is invalid.
 */
export function parseMatcher(matcher: string): readonly MatcherAlternative[] {
  if (matcher === "" || matcher === "*") return [];
  return splitAlternatives(matcher).map((part) => {
    const createMatcherError = (problem: string) => new Error(`matcher "${matcher}" ${problem}`);
    if (part === "") throw createMatcherError("has an empty alternative");
    const at = part.indexOf("(");
    if (at < 0) {
      if (part.includes(")")) throw createMatcherError('has an unmatched ")"');
      compileNamePattern(part);
      return { name: part };
    }
    const name = part.slice(0, at);
    if (!part.endsWith(")")) {
      const advice =
        name === "Bash" ? "write Bash(git push*)" : "parentheses are for an argument, as in Bash(git push*)";
      throw createMatcherError(`has a "(" but doesn't end with ")"; ${advice}`);
    }
    const argument = part.slice(at + 1, -1).trim();
    if (!/^\w+$/.test(name))
      throw createMatcherError("has parentheses without a tool name; they are for an argument, as in Bash(git push*)");
    if (argument.includes("|") && name.startsWith("mcp__")) {
      const writtenForms = argument.split("|").map((alternative) => name + alternative);
      throw createMatcherError(
        `has parentheses in a regular expression, but they are for an argument, as in Bash(git push*); write ${writtenForms.join("|")}`,
      );
    }
    if (name !== "Bash" && ((TOOLS as readonly string[]).includes(name) || name.startsWith("mcp__")))
      throw createMatcherError(
        `has an argument for ${name}, but only Bash supports arguments; check event.input or paths(event) in the handler`,
      );
    return argument === "" || argument === "*" ? { name } : { name, argument };
  });
}

/** Splits a matcher at each `|` and `,` outside parentheses. */
function splitAlternatives(matcher: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < matcher.length; at++) {
    const letter = matcher[at];
    if (letter === "(") depth++;
    else if (letter === ")") depth--;
    else if (depth === 0 && (letter === "|" || letter === ",")) {
      parts.push(matcher.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, matcher.slice(start)].map((part) => part.trim());
}

/** Compiles an alternative's name into a regular expression that matches the whole tool name. */
export const compileNamePattern = (name: string): RegExp => new RegExp(`^(?:${name === "*" ? ".*" : name})$`);

/** Events before a call. On these events, an MCP call can be judged as a shell call. */
const GATE_EVENTS: readonly EventName[] = ["PreToolUse", "PermissionRequest"];

/**
 * Returns whether a hook handles this event, judging by the names of the event, the tool and the server. Returns
 * `"argument"` if that depends on whether the matcher's pattern matches a simple command in the call. Returns
 * `"server"` if the call's MCP server is unknown and the matcher might name that server.
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
  const fittingAlternatives = findMatchingAlternatives(matcher, names);
  if (fittingAlternatives === undefined) return true;
  if (fittingAlternatives.some(({ argument }) => argument === undefined)) return true;
  if (isWithoutServer(event)) return matchUnnamedServer(matcher, event.input.tool);
  return fittingAlternatives.length > 0 && event.tool === "Bash" ? "argument" : false;
}

/** Two dissimilar server names. A pattern that matches both isn't specific to a server. */
const SAMPLE_SERVERS = ["a", "Z_9-z"];
const isPatternForAnyServer = (name: string, tool: string) =>
  SAMPLE_SERVERS.every((server) => compileNamePattern(name).test(`mcp__${server}__${tool}`));
const readLiteralPrefix = (name: string) => /^[\w:-]*(?![?*+{])/.exec(name)?.[0] ?? "";
const mayBeginServerName = (start: string) => start.startsWith("mcp__") || "mcp__".startsWith(start);

/** Returns whether an alternative's name pattern matches only particular MCP servers. */
export const isServerSpecific = (name: string): boolean =>
  mayBeginServerName(readLiteralPrefix(name)) && !isPatternForAnyServer(name, "t_9-Z");

function matchUnnamedServer(matcher: string, tool: string): boolean | "server" {
  const names = parseMatcher(matcher).map(({ name }) => name);
  if (names.some((name) => isPatternForAnyServer(name, tool))) return true;
  return names.some((name) => mayMeanServer(name, `__${tool}`)) && "server";
}

/**
 * Returns whether a pattern could match `mcp__<server>` followed by `end`. The pattern contains no groups, so it can be
 * split at any position.
 */
function mayMeanServer(name: string, end: string): boolean {
  const start = readLiteralPrefix(name);
  if (!mayBeginServerName(start)) return false;
  // A counted quantifier can't be split.
  if (name.includes("{")) return true;
  for (let at = start.startsWith("mcp__") ? 5 : 0; at < name.length; at++) {
    try {
      if (new RegExp(`^(?:${name.slice(at)})$`).test(end)) return true;
    } catch {
      // The pattern can't be split here; try the next position.
    }
  }
  return false;
}

/** Returns whether a hook handles an MCP call because of a shell command in its arguments. */
function matchShellCall(hook: HookDescriptor, event: CallEvent): boolean | "argument" | "server" {
  if (hook.tools && !hook.tools.includes("Bash")) return false;
  const shell = shellCall(event);
  return shell !== undefined && matchToolCall(hook, shell, [...callNames(event), "Bash"]);
}

/**
 * Adapts an event to a hook that handles it. If the hook handles only `Other`, a call with a guessed tool becomes
 * `Other`. If the hook would otherwise miss an MCP call, the call becomes a shell call.
 */
export function adaptEvent(hook: HookDescriptor, event: AnyEvent): AnyEvent {
  if (!isToolCallEvent(event)) return event;
  if (event.tool === "MCP") return matchToolCall(hook, event) ? event : (shellCall(event) ?? event);
  return hook.tools && !hook.tools.includes(event.tool) ? ({ ...event, tool: "Other" } as AnyEvent) : event;
}

/** Returns the alternatives that match one of the names, or undefined if the matcher matches everything. */
function findMatchingAlternatives(matcher: string, names: readonly string[]): MatcherAlternative[] | undefined {
  const alternatives = parseMatcher(matcher);
  return alternatives.length === 0
    ? undefined
    : alternatives.filter(({ name }) => names.some((toolName) => compileNamePattern(name).test(toolName)));
}

/** Returns a matcher's argument patterns that apply to a shell call. */
export const listArgumentPatterns = (matcher: string, event: ShellCall): string[] =>
  (findMatchingAlternatives(matcher, [...callNames(event), "Bash"]) ?? []).flatMap(({ argument }) => argument ?? []);
