import { type CallConditions, callNames, type EventOf } from "bridge-hooks";
import { wildcardPattern } from "bridge-hooks";
import type { CallMatch } from "./call-rules.ts";

type ToolConditions = CallConditions["tool"];

/** Normalizes a name, since hosts use different separators: `my server` becomes `my_server`. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9*|]+/g, "_");

/** Whether one of the alternatives matches the string; `*` is the only wildcard. */
const matchesAlternative = (alternatives: string, text: string): boolean =>
  alternatives.split("|").some((alternative) => wildcardPattern(alternative.replace(/[?[\\]/g, "\\$&"))(text));

const matchesName = (pattern: string, name: string): boolean =>
  matchesAlternative(normalizeName(pattern), normalizeName(name));

/** Lists the possible server and tool names of an MCP call. In a combined name, any `__` may separate the server from the tool. */
function listMcpNames(event: EventOf<"PreToolUse">): [server: string | undefined, tool: string][] {
  if (event.tool !== "MCP") return [];
  const { server, tool } = event.input;
  const candidates: [string | undefined, string][] = server ? [[server, tool]] : [];
  for (const name of callNames(event)) {
    if (!name.startsWith("mcp__")) continue;
    for (const { index } of name.slice("mcp__".length).matchAll(/__/g))
      candidates.push([name.slice("mcp__".length).slice(0, index), name.slice("mcp__".length + index + 2)]);
  }
  return candidates.length > 0 ? candidates : [[undefined, tool]];
}

/**
 * Lists the values of an argument given by name or path, such as `branch` or `options.force`. A list contributes each
 * of its items.
 */
function listValues(input: unknown, name: string): string[] {
  let values: unknown[] = [input];
  const pathSteps =
    typeof input === "object" && input !== null && Object.hasOwn(input, name) ? [name] : name.split(".");
  for (const pathStep of pathSteps)
    values = values.flatMap((parent) =>
      typeof parent === "object" && parent !== null && Object.hasOwn(parent, pathStep)
        ? [(parent as Record<string, unknown>)[pathStep]].flat()
        : [],
    );
  return values.filter((candidate) => ["string", "number", "boolean"].includes(typeof candidate)).map(String);
}

/** Creates a function that returns the part of a call matched by a tool rule. */
export function createToolMatcher(event: EventOf<"PreToolUse">): (conditions: ToolConditions) => CallMatch | undefined {
  const mcpNames = listMcpNames(event);
  const names = [...callNames(event), ...mcpNames.map(([, tool]) => tool)];
  const input: unknown = event.tool === "MCP" ? event.input.arguments : event.input;
  return ({ mcp, tool, arguments: expectedArguments }) => {
    if (!isStringOrUndefined(mcp) || !isStringOrUndefined(tool)) return undefined;
    const isNamed =
      mcp === undefined
        ? tool !== undefined && names.some((name) => matchesName(tool, name))
        : mcpNames.some(([server, name]) =>
            // If the server is unknown, compare only the tool's name.
            server === undefined
              ? tool !== undefined && matchesName(tool, name)
              : matchesName(mcp, server) && (tool === undefined || matchesName(tool, name)),
          );
    if (!isNamed) return undefined;
    for (const [name, pattern] of Object.entries(expectedArguments ?? {}))
      if (!listValues(input, name).some((value) => matchesAlternative(String(pattern), value))) return undefined;
    const [server, called] = mcpNames[0] ?? [];
    return { subject: event.tool_name, names: [...names, ...(server === undefined ? [] : [`${server} ${called}`])] };
  };
}

const isStringOrUndefined = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string";
