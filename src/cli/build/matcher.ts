import type { HookDescriptor } from "../../protocol/hook.ts";
import { type MatcherAlternative, parseMatcher } from "../../protocol/match.ts";
import { findMisspelledName } from "../../protocol/name-suggestions.ts";
import { type Tool, TOOLS } from "../../protocol/tool.ts";
import { hosts } from "../../hosts/index.ts";

/**
 * Problems with a matcher's alternatives that match no call. Obvious mistakes are errors; everything else is a note.
 */
interface MatcherReport {
  errors: string[];
  notes: string[];
}

/** The verdict on an alternative, and the known tools it can match. */
interface AlternativeVerdict extends Partial<Record<"error" | "note", string>> {
  fits: readonly Tool[];
}

/** The unified tools that an unknown tool can map to. Shells and file-writing tools are recognized by their input. */
const UNKNOWN_TOOL_TARGETS: readonly Tool[] = ["MCP", "Other", "Bash", "Write"];

/**
 * Checks that a hook's matcher, and each of its alternatives, can match at least one call.
 * @throws Error if the matcher is invalid.
 */
export async function checkMatcher({
  tools,
  matcher = "",
}: Pick<HookDescriptor, "tools" | "matcher">): Promise<MatcherReport> {
  const alternatives = parseMatcher(matcher);
  if (alternatives.length === 0) return { errors: [], notes: [] };
  const native = await collectNativeTools();
  const verdicts = alternatives.map((alternative) => ({
    shown: formatAlternative(alternative),
    ...judgeAlternative(alternative, native),
  }));
  const errors = verdicts.flatMap(({ error }) => (error === undefined ? [] : [error]));
  // A host's native name next to the unified name is redundant, but not a mistake.
  const coveringTools = TOOLS.filter((tool) =>
    alternatives.some(({ name, argument }) => argument === undefined && compilePattern(name).test(tool)),
  );
  const isCovered = (matchedTools: readonly Tool[]) =>
    matchedTools.length > 0 && matchedTools.every((tool) => tool !== "Other" && coveringTools.includes(tool));
  const notes = verdicts.flatMap(({ note, fits }) => (note === undefined || isCovered(fits) ? [] : [note]));
  const outside = tools
    ? verdicts.filter(({ error, fits }) => error === undefined && !fits.some((tool) => tools.includes(tool)))
    : [];
  const names = tools?.join(", ");
  if (outside.length === alternatives.length)
    errors.push(`no call matches both the matcher and the tool ${names}; remove the matcher or the tool`);
  else notes.push(...outside.map(({ shown }) => `${shown} is not one of the hook's tools (${names})`));
  return { errors, notes };
}

/** Returns a note for a hook that covers Write but not Edit: some hosts add files with a patch, which is an Edit. */
export async function checkToolCoverage({ tools = [] }: Pick<HookDescriptor, "tools">): Promise<string[]> {
  if (!tools.includes("Write") || tools.includes("Edit")) return [];
  const patchTools = (await collectNativeTools()).filter(({ tool, name }) => tool === "Edit" && name === "apply_patch");
  const names = LIST_FORMAT.format(new Set(patchTools.map(({ host }) => host)));
  return [`on ${names}, a patch that adds a file counts as an Edit, so this hook isn't called; add Edit to its tools`];
}

const formatAlternative = ({ name, argument }: MatcherAlternative) =>
  argument === undefined ? name : `${name}(${argument})`;

/** A host's native name for a tool. */
interface NativeTool {
  host: string;
  tool: Tool;
  name: string;
}

async function collectNativeTools(): Promise<NativeTool[]> {
  const setups = await Promise.all(
    hosts.map(async ({ name: host, setup }) => ({ host, tools: (await setup()).tools })),
  );
  return setups.flatMap(({ host, tools }) =>
    Object.entries(tools).flatMap(([tool, names]) =>
      names.map((name): NativeTool => ({ host, tool: tool as Tool, name })),
    ),
  );
}

const LIST_FORMAT = new Intl.ListFormat("en");
const isWord = (name: string) => /^[\w:/-]+$/.test(name);
const compilePattern = (pattern: string) => new RegExp(`^(?:${pattern === "*" ? ".*" : pattern})$`);
const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function judgeAlternative(alternative: MatcherAlternative, native: readonly NativeTool[]): AlternativeVerdict {
  const { name, argument } = alternative;
  if (argument !== undefined) return judgeArgument(name, argument, native);
  if (/^mcp__/i.test(name)) return { fits: ["MCP", "Other"], ...checkServerPattern(name) };
  return isWord(name) ? judgeToolName(name, native) : judgePattern(name, native);
}

function judgeArgument(name: string, argument: string, native: readonly NativeTool[]): AlternativeVerdict {
  const shellTools: readonly Tool[] = ["Bash"];
  const parts = argument.split("|").flatMap((part) => part.trim() || []);
  const suggestedPattern = parts.map((part) => `Bash(${part})`).join("|");
  if (name !== "Bash") {
    const sameNameTools = native.filter((tool) => tool.tool === "Bash" && tool.name === name);
    const isShell =
      sameNameTools.length > 0 || isSameName(name, "Bash") || findMisspelledName(name, ["Bash"]) !== undefined;
    return {
      fits: shellTools,
      error: isShell
        ? `"${name}" ${formatHostsWithTool(sameNameTools)}; write ${suggestedPattern}`
        : `only Bash supports parentheses, not "${name}"`,
    };
  }
  if (argument.includes("|"))
    return { fits: shellTools, error: `"|" does not separate patterns inside parentheses; write ${suggestedPattern}` };
  const sign = /&&|;|>|<|,(?= )/.exec(argument)?.[0];
  const how = "each command in a line is matched separately, without redirections";
  return sign === undefined
    ? { fits: shellTools }
    : {
        fits: shellTools,
        note: `"${sign}" in ${name}(${argument}) matches that character only if it is quoted: ${how}`,
      };
}

/** Explains why a pattern for MCP tools doesn't match the intended tools. */
function checkServerPattern(name: string): { error?: string } {
  const lowercaseName = name.replace(/^mcp__/i, "mcp__");
  if (isWord(lowercaseName) && !/^mcp__.+?__./.test(lowercaseName))
    return { error: `"${name}" matches no MCP tool; write ${lowercaseName.replace(/_*$/, "")}__.*` };
  const suggestedPattern = expandGlob(lowercaseName);
  if (suggestedPattern !== lowercaseName)
    return { error: `"*" repeats the preceding character; write ${suggestedPattern}` };
  return lowercaseName === name ? {} : { error: `"${name}" matches no MCP tool; write ${lowercaseName}` };
}

/** Rewrites a glob's `*` as `.*`, its equivalent in a regular expression. */
const expandGlob = (name: string) => name.replace(/(?<=(?<!\\)[\w:/-])\*/g, ".*");

function judgeToolName(name: string, native: readonly NativeTool[]): AlternativeVerdict {
  const sameNameTools = native.filter((nativeTool) => nativeTool.name === name);
  const tools = [...new Set(sameNameTools.map(({ tool }) => tool))];
  if ((TOOLS as readonly string[]).includes(name)) return { fits: [name as Tool, ...tools] };
  const unifiedTool = TOOLS.find((tool) => isSameName(tool, name));
  if (unifiedTool)
    return {
      fits: [unifiedTool],
      error: `"${name}" ${formatHostsWithTool(sameNameTools)}; write ${unifiedTool}, which matches every host's`,
    };
  if (sameNameTools.length > 0) return { fits: tools, note: formatNativeNote(name, sameNameTools) };
  const names = [
    ...TOOLS,
    ...native.flatMap((nativeTool) => (isWord(nativeTool.name) && nativeTool.name.length > 4 ? [nativeTool.name] : [])),
  ];
  const suggestion = names.find((candidate) => isSameName(candidate, name)) ?? findMisspelledName(name, names);
  if (suggestion !== undefined) return { fits: [], error: `"${name}" matches no tool; did you mean ${suggestion}?` };
  const server = native.filter((nativeTool) => nativeTool.tool === "MCP" && compilePattern(nativeTool.name).test(name));
  if (server.length > 0)
    return {
      fits: UNKNOWN_TOOL_TARGETS,
      note: `"${name}" ${formatHostsWithTool(server)}; write mcp__<server>__<tool>, which matches every host's`,
    };
  return {
    fits: UNKNOWN_TOOL_TARGETS,
    note: `no known host has a tool "${name}"; a tool of an MCP server is mcp__<server>__<tool>`,
  };
}

/** Formats the part of a note that says which hosts have the tool. */
function formatHostsWithTool(tools: readonly NativeTool[]): string {
  const names = [...new Set(tools.map(({ host }) => host))];
  return names.length === 0 ? "matches no tool" : `matches only calls from ${LIST_FORMAT.format(names)}`;
}

function formatNativeNote(name: string, tools: readonly NativeTool[]): string | undefined {
  const [tool] = tools.map((one) => one.tool).filter((one) => one !== "Other");
  return tool && `"${name}" ${formatHostsWithTool(tools)}; ${tool} matches every host's`;
}

function judgePattern(name: string, native: readonly NativeTool[]): AlternativeVerdict {
  const findMatchingTools = (pattern: RegExp) => ({
    unified: TOOLS.filter((tool) => pattern.test(tool)),
    own: native.filter((nativeTool) => isWord(nativeTool.name) && pattern.test(nativeTool.name)),
  });
  const { unified, own } = findMatchingTools(compilePattern(name));
  const matchingTools = [...unified, ...own.map(({ tool }) => tool), ...UNKNOWN_TOOL_TARGETS];
  if (unified.length > 0) return { fits: matchingTools };
  if (own.length > 0) return { fits: matchingTools, note: formatNativeNote(name, own) };
  const suggestedPattern = expandGlob(name);
  const meantTools = findMatchingTools(compilePattern(suggestedPattern));
  if (suggestedPattern !== name && meantTools.unified.length + meantTools.own.length > 0)
    return { fits: [], error: `"${name}" matches no tool; write ${suggestedPattern}` };
  return /mcp|__|[-/]/i.test(name)
    ? { fits: matchingTools }
    : { fits: matchingTools, note: `no known host has a tool that matches "${name}"` };
}
