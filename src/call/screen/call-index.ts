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

/** An indexed tool, or an event that isn't about a tool. */
type IndexKey = IndexedTool | ResultTool | EventName;

/** Events about tool calls, and the tools indexed for each. */
const INDEX_KEYS_BY_EVENT: Partial<Record<EventName, readonly IndexKey[]>> = {
  PreToolUse: INDEXED_TOOLS,
  PermissionRequest: INDEXED_TOOLS,
  PostToolUse: [...INDEXED_TOOLS, ...RESULT_TOOLS],
  PostToolUseFailure: [...INDEXED_TOOLS, ...RESULT_TOOLS],
};
const isResultEvent = (event: EventName) => event === "PostToolUse" || event === "PostToolUseFailure";

/**
 * Builds the index of calls that may concern a hook. This happens once, at build time; calls only read the index.
 * @param entries all hooks of an executable
 */
export function createCallIndex(entries: readonly HookDescriptor[]): CallIndex {
  const concernsByEvent: Record<string, Partial<Record<IndexKey, NamedConcerns[] | false>>> = {};
  for (const entry of entries)
    for (const event of entry.events) {
      const row = (concernsByEvent[event] ??= {});
      for (const key of INDEX_KEYS_BY_EVENT[event] ?? [event]) {
        const concerns = findConcerns(entry, event, key);
        if (concerns === undefined) continue;
        const existing = row[key];
        row[key] =
          concerns === false || existing === false ? false : [...(existing ?? []), { ...concerns, hook: entry.name }];
      }
    }
  return Object.fromEntries(
    Object.entries(concernsByEvent).map(([event, row]) => [
      event,
      Object.fromEntries(
        Object.entries(row).map(([key, all]) => [key, all && formatConcernIndex(joinConcerns(all, key))]),
      ),
    ]),
  );
}

/**
 * Returns which calls of a tool concern the hook. Returns undefined if none do, and false if a call's contents aren't
 * enough to tell.
 */
function findConcerns(entry: HookDescriptor, event: EventName, key: IndexKey): Concerns | false | undefined {
  const { tools, matcher = "" } = entry;
  const concerns = entry.concerns && coversCalls(entry.concerns, event, key) ? entry.concerns : false;
  if (!isTool(key)) return concerns;
  if (tools && !tools.includes(key)) return undefined;
  if (entry.concerns?.onlyByRules?.includes(key)) {
    const { narrowedBy = [], ruleCategories = [] } = entry.concerns;
    return { narrowedBy, ruleCategories };
  }
  // An MCP tool's name doesn't tell which tools a matcher covers.
  if (matcher === "" || matcher === "*" || key === "MCP") return concerns;
  const names = listToolNames(key);
  const fittingAlternatives = parseMatcher(matcher).filter(({ name }) =>
    names.some((toolName) => compileNamePattern(name).test(toolName)),
  );
  if (fittingAlternatives.length === 0) return undefined;
  if (fittingAlternatives.some(({ argument }) => argument === undefined)) return concerns;
  if (key !== "Bash") return undefined;
  const words = fittingAlternatives.map(({ argument = "" }) => patternWords(argument));
  // Usually the matcher's words alone narrow down the calls. If an alternative has no words, the hook's own `concerns`
  // are needed.
  return words.every(([word]) => word !== undefined) ? { texts: words.flat() } : concerns;
}

/** Lists a tool's names on all hosts, along with its unified name. */
function listToolNames(tool: IndexedTool | ResultTool): string[] {
  const native = listShapes().flatMap((shape) => (shape.tool === tool && shape.tool_name ? [shape.tool_name] : []));
  // An edit that adds a file also counts as a Write.
  return [...new Set([tool, ...(tool === "Edit" ? ["Write"] : []), ...native])];
}

const isIndexedTool = (key: IndexKey): key is IndexedTool => (INDEXED_TOOLS as readonly string[]).includes(key);

const isResultTool = (key: IndexKey): key is ResultTool => (RESULT_TOOLS as readonly string[]).includes(key);
const isTool = (key: IndexKey): key is IndexedTool | ResultTool => isIndexedTool(key) || isResultTool(key);

/** Returns whether a hook is only about the results of calls. */
const isAboutResults = ({ words, bareWords, expansions, names, texts, paths, contents, results }: Concerns): boolean =>
  results !== undefined &&
  [words, bareWords, expansions, names, texts, paths, contents].every((list) => list === undefined);

/**
 * Returns whether a hook's `concerns` cover calls of this event and tool. A hook that lists nothing but command words
 * may check files as well.
 */
function coversCalls(concerns: Concerns, event: EventName, key: IndexKey): boolean {
  if (isResultEvent(event) && isAboutResults(concerns)) return true;
  const { words, bareWords, expansions, names, texts, paths, contents } = concerns;
  if (key === "Bash") return [words, bareWords, expansions, names, texts, contents].some((list) => list !== undefined);
  if (key === "UserPromptSubmit") return contents !== undefined;
  return isIndexedTool(key) && [texts, paths, contents].some((list) => list !== undefined);
}

type NamedConcerns = Concerns & { hook: string };

function joinConcerns(concerns: readonly NamedConcerns[], key: string): ConcernIndex {
  const list = (get: (entry: Concerns) => readonly string[] | undefined) => [
    ...new Set(concerns.flatMap((entry) => get(entry) ?? [])),
  ];
  /** Removes strings that contain another string in the list, since finding the shorter one is enough. */
  const shortest = (texts: string[]) =>
    texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
  // Search for words only in shell commands.
  const isLine = key === "Bash";
  const words = isLine ? groupWords(list((entry) => entry.words)) : groupWords([]);
  const optionsByWord = new Map<string, string>();
  for (const { bareWords = {} } of isLine ? concerns : [])
    for (const [word, letters] of Object.entries(bareWords))
      optionsByWord.set(word, (optionsByWord.get(word) ?? "") + letters);
  const texts = [...list((entry) => entry.texts), ...(isLine ? [] : list((entry) => entry.paths))];
  const isWordStart = (word: string) => /(?<!\.)\*$/.test(word);
  return {
    hooks: JSON.stringify(Object.fromEntries(concerns.map(({ hook, narrowedBy = [] }) => [hook, narrowedBy]))),
    ruleCategories: formatTable(list((entry) => entry.ruleCategories)),
    words: formatTable(words.single.filter((word) => !isWordStart(word)).map((word) => word.replace(/\*$/, ""))),
    wordLists: formatTable(joinChoices(words.combined)),
    wordParts: formatTable(
      [...words.parts].map(([word, parts]) => `${word} ${shortest([...new Set(parts)]).join(" ")}`),
    ),
    bareWords: formatTable(
      [...optionsByWord].filter(([word]) => !words.single.includes(word)).map((pair) => pair.join(" ")),
    ),
    wordStarts: words.single.filter(isWordStart).map((word) => word.slice(0, -1)),
    expansions: isLine ? shortest(list((entry) => entry.expansions)) : [],
    names: isLine ? list((entry) => entry.names) : [],
    outward: formatTable(list((entry) => entry.outward)),
    texts: shortest([...new Set(texts.flatMap((text) => [text, text.replaceAll("\\", "/")]))]),
    contents: [
      ...list(({ contents }) => (contents === "secrets" ? [] : contents)),
      ...(key === "UserPromptSubmit" ? [ATTACHMENT_PREFIX] : []),
    ],
    secrets: concerns.some(({ contents }) => contents === "secrets"),
    results: concerns.every(isAboutResults)
      ? "alone"
      : concerns.some(({ results }) => results !== undefined)
        ? "too"
        : "",
    variables: list((entry) => entry.variables),
  };
}

/** Combines word lists that differ only in the last word: `git push` and `git reset` become `git push/reset`. */
function joinChoices(lists: readonly string[]): string[] {
  const endingsByStart = new Map<string, string[]>();
  for (const list of lists) {
    const start = list.slice(0, list.lastIndexOf(" "));
    endingsByStart.set(start, [...(endingsByStart.get(start) ?? []), list.slice(start.length + 1)]);
  }
  return [...endingsByStart].map(([start, choice]) => `${start} ${choice.join("/")}`);
}

/** Attaches a file to a prompt by name. All hosts with this feature use the same character. */
const ATTACHMENT_PREFIX = "@";

const formatTable = (items: readonly string[]) => `|${items.join("|")}|`;

/** Words grouped by how they match: on their own, only together, or as part of a command word. */
interface GroupedWords {
  single: string[];
  combined: string[];
  parts: Map<string, string[]>;
}

function groupWords(words: readonly string[]): GroupedWords {
  const groups: GroupedWords = { single: [], combined: [], parts: new Map() };
  for (const word of words) {
    const [, name = "", part] = /^([^ *]+) \*([^ *]+)\*$/.exec(word) ?? [];
    // Drop a last word that has a wildcard: `git pu*` becomes `git`.
    const otherWords = word.replace(/ [^ ]*\*$/, "");
    if (part !== undefined) groups.parts.set(name, [...(groups.parts.get(name) ?? []), part]);
    else (otherWords.includes(" ") ? groups.combined : groups.single).push(otherWords);
  }
  for (const name of groups.single) groups.parts.delete(name);
  groups.combined = groups.combined.filter((words) => !groups.single.includes(words.slice(0, words.indexOf(" "))));
  return groups;
}
