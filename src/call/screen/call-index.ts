import {
  type CallIndex,
  type ConcernIndex,
  type Concerns,
  formatConcernIndex,
  INDEXED_TOOLS,
  type IndexedTool,
  RESULT_TOOLS,
  type ResultTool,
} from "../../protocol/concerns.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { compileNamePattern, parseMatcher } from "../../protocol/match.ts";
import type { EventName } from "../../protocol/event.ts";
import { listShapes } from "./shape-table.ts";
import { patternWords } from "../../shell/words/pattern.ts";

/** An indexed tool, or an event without a tool. */
type IndexKey = IndexedTool | ResultTool | EventName;

/** Events about tool calls, with the indexed tools. */
const KEYS: Partial<Record<EventName, readonly IndexKey[]>> = {
  PreToolUse: INDEXED_TOOLS,
  PermissionRequest: INDEXED_TOOLS,
  PostToolUse: [...INDEXED_TOOLS, ...RESULT_TOOLS],
  PostToolUseFailure: [...INDEXED_TOOLS, ...RESULT_TOOLS],
};
const isResultEvent = (event: EventName) => event === "PostToolUse" || event === "PostToolUseFailure";

/**
 * Builds the index of calls that may concern a hook. The build does this once; calls only look up the result.
 * @param entries all hooks of an executable.
 */
export function createCallIndex(entries: readonly HookDescriptor[]): CallIndex {
  const wanted: Record<string, Partial<Record<IndexKey, NamedConcerns[] | false>>> = {};
  for (const entry of entries)
    for (const event of entry.events) {
      const row = (wanted[event] ??= {});
      for (const key of KEYS[event] ?? [event]) {
        const concerns = findConcerns(entry, event, key);
        if (concerns === undefined) continue;
        const known = row[key];
        row[key] =
          concerns === false || known === false ? false : [...(known ?? []), { ...concerns, hook: entry.name }];
      }
    }
  return Object.fromEntries(
    Object.entries(wanted).map(([event, row]) => [
      event,
      Object.fromEntries(
        Object.entries(row).map(([key, all]) => [key, all && formatConcernIndex(joinConcerns(all, key))]),
      ),
    ]),
  );
}

/**
 * Returns which calls of a tool concern the hook. Returns undefined if no call does, and false if a call's content
 * can't decide.
 */
function findConcerns(entry: HookDescriptor, event: EventName, key: IndexKey): Concerns | false | undefined {
  const { tools, matcher = "" } = entry;
  const concerns = entry.concerns && isAbout(entry.concerns, event, key) ? entry.concerns : false;
  if (!isTool(key)) return concerns;
  if (tools && !tools.includes(key)) return undefined;
  if (entry.concerns?.onlyByRules?.includes(key)) {
    const { narrowedBy = [], ruleCategories = [] } = entry.concerns;
    return { narrowedBy, ruleCategories };
  }
  // MCP tool names don't show which tools a matcher covers.
  if (matcher === "" || matcher === "*" || key === "MCP") return concerns;
  const names = listToolNames(key);
  const fitting = parseMatcher(matcher).filter(({ name }) => names.some((one) => compileNamePattern(name).test(one)));
  if (fitting.length === 0) return undefined;
  if (fitting.some(({ argument }) => argument === undefined)) return concerns;
  if (key !== "Bash") return undefined;
  const words = fitting.map(({ argument = "" }) => patternWords(argument));
  // The hook's own `concerns` further restrict the calls, but one of the two is enough.
  return words.every(([word]) => word !== undefined) ? { texts: words.flat() } : concerns;
}

/** Lists a tool's names on all hosts, and its unified name. */
function listToolNames(tool: IndexedTool | ResultTool): string[] {
  const native = listShapes().flatMap((one) => (one.tool === tool && one.tool_name ? [one.tool_name] : []));
  // An edit that adds a file is also a Write.
  return [...new Set([tool, ...(tool === "Edit" ? ["Write"] : []), ...native])];
}

const isIndexedTool = (key: IndexKey): key is IndexedTool => (INDEXED_TOOLS as readonly string[]).includes(key);

const isResultTool = (key: IndexKey): key is ResultTool => (RESULT_TOOLS as readonly string[]).includes(key);
const isTool = (key: IndexKey): key is IndexedTool | ResultTool => isIndexedTool(key) || isResultTool(key);

/** Returns whether only the results of calls concern a hook. */
const isAboutResults = ({ words, bareWords, expansions, names, texts, paths, contents, results }: Concerns): boolean =>
  results !== undefined &&
  [words, bareWords, expansions, names, texts, paths, contents].every((one) => one === undefined);

/** Returns whether a hook's `concerns` cover such calls. Hooks that list only command words may also check files. */
function isAbout(concerns: Concerns, event: EventName, key: IndexKey): boolean {
  if (isResultEvent(event) && isAboutResults(concerns)) return true;
  const { words, bareWords, expansions, names, texts, paths, contents } = concerns;
  if (key === "Bash") return [words, bareWords, expansions, names, texts, contents].some((one) => one !== undefined);
  if (key === "UserPromptSubmit") return contents !== undefined;
  return isIndexedTool(key) && [texts, paths, contents].some((one) => one !== undefined);
}

type NamedConcerns = Concerns & { hook: string };

function joinConcerns(all: readonly NamedConcerns[], key: string): ConcernIndex {
  const list = (get: (one: Concerns) => readonly string[] | undefined) => [
    ...new Set(all.flatMap((one) => get(one) ?? [])),
  ];
  /** Removes strings that contain another string of the list, because the shorter string is enough. */
  const shortest = (texts: string[]) =>
    texts.filter((text) => !texts.some((one) => one !== text && text.includes(one)));
  // Only shell commands are searched for words.
  const isLine = key === "Bash";
  const words = isLine ? groupWords(list((one) => one.words)) : groupWords([]);
  const bare = new Map<string, string>();
  for (const { bareWords = {} } of isLine ? all : [])
    for (const [word, letters] of Object.entries(bareWords)) bare.set(word, (bare.get(word) ?? "") + letters);
  const texts = [...list((one) => one.texts), ...(isLine ? [] : list((one) => one.paths))];
  const isStart = (word: string) => /(?<!\.)\*$/.test(word);
  return {
    hooks: JSON.stringify(Object.fromEntries(all.map(({ hook, narrowedBy = [] }) => [hook, narrowedBy]))),
    ruleCategories: formatTable(list((one) => one.ruleCategories)),
    words: formatTable(words.single.filter((word) => !isStart(word)).map((word) => word.replace(/\*$/, ""))),
    wordLists: formatTable(joinChoices(words.combined)),
    wordParts: formatTable(
      [...words.parts].map(([word, parts]) => `${word} ${shortest([...new Set(parts)]).join(" ")}`),
    ),
    bareWords: formatTable([...bare].filter(([word]) => !words.single.includes(word)).map((one) => one.join(" "))),
    wordStarts: words.single.filter(isStart).map((word) => word.slice(0, -1)),
    expansions: isLine ? shortest(list((one) => one.expansions)) : [],
    names: isLine ? list((one) => one.names) : [],
    outward: formatTable(list((one) => one.outward)),
    texts: shortest([...new Set(texts.flatMap((text) => [text, text.replaceAll("\\", "/")]))]),
    contents: [
      ...list(({ contents }) => (contents === "secrets" ? [] : contents)),
      ...(key === "UserPromptSubmit" ? [ATTACHING_SIGN] : []),
    ],
    secrets: all.some(({ contents }) => contents === "secrets"),
    results: all.every(isAboutResults) ? "alone" : all.some(({ results }) => results !== undefined) ? "too" : "",
    variables: list((one) => one.variables),
  };
}

/** Combines word lists that differ only in the last word: `git push` and `git reset` become `git push/reset`. */
function joinChoices(lists: readonly string[]): string[] {
  const found = new Map<string, string[]>();
  for (const list of lists) {
    const start = list.slice(0, list.lastIndexOf(" "));
    found.set(start, [...(found.get(start) ?? []), list.slice(start.length + 1)]);
  }
  return [...found].map(([start, choice]) => `${start} ${choice.join("/")}`);
}

/** Character that attaches a file to a prompt by name. Every host with such a syntax uses it. */
const ATTACHING_SIGN = "@";

const formatTable = (items: readonly string[]) => `|${items.join("|")}|`;

/** Single words, words that must occur together, and words that match part of a command word. */
interface GroupedWords {
  single: string[];
  combined: string[];
  parts: Map<string, string[]>;
}

function groupWords(words: readonly string[]): GroupedWords {
  const found: GroupedWords = { single: [], combined: [], parts: new Map() };
  for (const word of words) {
    const [, name = "", part] = /^([^ *]+) \*([^ *]+)\*$/.exec(word) ?? [];
    // For `git pu*`, the other words are enough.
    const rest = word.replace(/ [^ ]*\*$/, "");
    if (part !== undefined) found.parts.set(name, [...(found.parts.get(name) ?? []), part]);
    else (rest.includes(" ") ? found.combined : found.single).push(rest);
  }
  for (const name of found.single) found.parts.delete(name);
  found.combined = found.combined.filter((words) => !found.single.includes(words.slice(0, words.indexOf(" "))));
  return found;
}
