import {
  type CallIndex,
  type ConcernIndex,
  type Concerns,
  formatConcernIndex,
  INDEXED_TOOLS,
  type IndexedTool,
} from "../../protocol/concerns.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { compileNamePattern, parseMatcher } from "../../protocol/match.ts";
import { CALL_EVENTS, type EventName } from "../../protocol/event.ts";
import { listShapes } from "./shape-table.ts";
import { patternWords } from "../../shell/words/pattern.ts";

/** An indexed tool, or an event that is not about a tool. */
type IndexKey = IndexedTool | EventName;

/**
 * Builds the index of calls that may concern a hook. The build does it once: a call only looks at the result.
 * @param entries all hooks of an executable.
 */
export function createCallIndex(entries: readonly HookDescriptor[]): CallIndex {
  const wanted: Record<string, Partial<Record<IndexKey, NamedConcerns[] | false>>> = {};
  for (const entry of entries)
    for (const event of entry.events) {
      const row = (wanted[event] ??= {});
      const keys: readonly IndexKey[] = (CALL_EVENTS as readonly string[]).includes(event) ? INDEXED_TOOLS : [event];
      for (const key of keys) {
        const concerns = findConcerns(entry, key);
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

/** What calls of a tool concern the hook; undefined for none, false if that can't be told from their texts. */
function findConcerns(entry: HookDescriptor, key: IndexKey): Concerns | false | undefined {
  const { tools, matcher = "" } = entry;
  const concerns = entry.concerns && isAbout(entry.concerns, key) ? entry.concerns : false;
  if (!isIndexedTool(key)) return concerns;
  if (tools && !tools.includes(key)) return undefined;
  if (matcher === "" || matcher === "*") return concerns;
  const names = listToolNames(key);
  const fitting = parseMatcher(matcher).filter(({ name }) => names.some((one) => compileNamePattern(name).test(one)));
  if (fitting.length === 0) return undefined;
  if (fitting.some(({ argument }) => argument === undefined)) return concerns;
  if (key !== "Bash") return undefined;
  const words = fitting.map(({ argument = "" }) => patternWords(argument));
  // What the hook says narrows it further, but one of the two is enough.
  return words.every(([word]) => word !== undefined) ? { texts: words.flat() } : concerns;
}

/** The names of a tool on all hosts, and its unified one. */
function listToolNames(tool: IndexedTool): string[] {
  const native = listShapes().flatMap((one) => (one.tool === tool && one.tool_name ? [one.tool_name] : []));
  // An edit that adds a file is a Write as well.
  return [...new Set([tool, ...(tool === "Edit" ? ["Write"] : []), ...native])];
}

const isIndexedTool = (key: IndexKey): key is IndexedTool => (INDEXED_TOOLS as readonly string[]).includes(key);

/** Whether a hook says what it looks for in such calls; one that speaks of commands alone may look at files too. */
function isAbout({ words, bareWords, expansions, names, texts, paths, contents }: Concerns, key: IndexKey): boolean {
  if (key === "Bash") return [words, bareWords, expansions, names, texts, contents].some((one) => one !== undefined);
  if (key === "UserPromptSubmit") return contents !== undefined;
  return isIndexedTool(key) && [texts, paths, contents].some((one) => one !== undefined);
}

type NamedConcerns = Concerns & { hook: string };

function joinConcerns(all: readonly NamedConcerns[], key: string): ConcernIndex {
  const list = (get: (one: Concerns) => readonly string[] | undefined) => [
    ...new Set(all.flatMap((one) => get(one) ?? [])),
  ];
  /** Without those that have another one in them: it is enough. */
  const shortest = (texts: string[]) =>
    texts.filter((text) => !texts.some((one) => one !== text && text.includes(one)));
  // Only lines are looked through for words.
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
    words: formatTable(words.alone.filter((word) => !isStart(word)).map((word) => word.replace(/\*$/, ""))),
    wordLists: formatTable(words.together),
    wordParts: formatTable(
      [...words.parts].map(([word, parts]) => `${word} ${shortest([...new Set(parts)]).join(" ")}`),
    ),
    bareWords: formatTable([...bare].filter(([word]) => !words.alone.includes(word)).map((one) => one.join(" "))),
    wordStarts: words.alone.filter(isStart).map((word) => word.slice(0, -1)),
    expansions: isLine ? shortest(list((one) => one.expansions)) : [],
    names: isLine ? list((one) => one.names) : [],
    texts: shortest([...new Set(texts.flatMap((text) => [text, text.replaceAll("\\", "/")]))]),
    contents: [
      ...list(({ contents }) => (contents === "secrets" ? [] : contents)),
      ...(key === "UserPromptSubmit" ? [ATTACHING_SIGN] : []),
    ],
    secrets: all.some(({ contents }) => contents === "secrets"),
    variables: list((one) => one.variables),
  };
}

/** What a prompt has in it that attaches a file by its name, in the syntax of each host that has one. */
const ATTACHING_SIGN = "@";

const formatTable = (items: readonly string[]) => `|${items.join("|")}|`;

/** Words that stand for themselves, those that belong together, and those with parts of a line. */
interface GroupedWords {
  alone: string[];
  together: string[];
  parts: Map<string, string[]>;
}

function groupWords(words: readonly string[]): GroupedWords {
  const found: GroupedWords = { alone: [], together: [], parts: new Map() };
  for (const word of words) {
    const [, name = "", part] = /^([^ *]+) \*([^ *]+)\*$/.exec(word) ?? [];
    // Of `git pu*`, the other words are enough.
    const rest = word.replace(/ [^ ]*\*$/, "");
    if (part !== undefined) found.parts.set(name, [...(found.parts.get(name) ?? []), part]);
    else (rest.includes(" ") ? found.together : found.alone).push(rest);
  }
  for (const name of found.alone) found.parts.delete(name);
  found.together = found.together.filter((words) => !found.alone.includes(words.slice(0, words.indexOf(" "))));
  return found;
}
