import {
  type CallIndex,
  type ConcernIndex,
  INDEXED_TOOLS,
  parseConcernIndex,
  RESULT_TOOLS,
} from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { mayHoldSecret } from "../../secrets/scan.ts";
import { type FileSurvey, type InspectedPath, joinPath, resolvePath, surveyFiles } from "./files.ts";
import { type PlainLine, readPlainLine } from "../../shell/screen/line.ts";
import { UNKNOWN } from "../../shell/screen/variables.ts";
import { listNames, MAX_NAMES } from "./file-names.ts";
import { mayRunOwnCopy, mentionsPolicyCommand } from "./own-copies.ts";
import { isOutsideSession, mentionsOutsideName, EMPTY_WORD_LIST, mayReachOutside } from "./outside-session.ts";
import { mayMatchName } from "./wildcards.ts";
import { DASH_CODE, listProgramNames, splitWords } from "./split-words.ts";
import { mentionsProgram, omitAddedRules } from "./added-rules.ts";
import { type CallMention, mayConcernOmitted, readMention } from "./call-rules.ts";
import { hasKnownKeys, isNeutralConfig } from "./neutral-config.ts";
import { parseQuickly } from "./read-quickly.ts";
import { mayResultHoldSecret } from "./result-secrets.ts";
import type { ReadCall } from "./shapes.ts";
import type { QuickSystem } from "../../system/quick-types.ts";

/** The index and environment used to judge a call. */
export interface Judgement {
  index: CallIndex;
  system: QuickSystem;
  env: Readonly<Record<string, string | undefined>>;
  /** Name of this executable, in lowercase. */
  ownName: string;
  /** Cached config files, keyed by path. Set when a call is judged for more than one hook. */
  configs?: Map<string, QuickConfig | undefined>;
}

/** A config file's object without its valid added rules, plus the programs and conditions of those rules. */
interface QuickConfig {
  config: Payload | undefined;
  programs: string;
  calls: string;
}

/** Returns whether a call mentions nothing that is relevant to any hook. Returns false if that isn't certain. */
export function concernsNoHook(call: ReadCall, by: Judgement): boolean {
  const { event, tool } = call;
  const row = by.index[event];
  if (row === undefined) return !mayConcernConfig(event, by);
  if (tool !== undefined && !isIndexed(tool, event)) return false;
  const concerns = row[tool ?? event];
  if (concerns === undefined) return !mayConcernConfig(event, by);
  if (concerns === false) return false;
  let cached = knownConcerns.get(concerns);
  if (!cached) {
    cached = { index: parseConcernIndex(concerns), unrelatedWords: new Set(), folders: "" };
    knownConcerns.set(concerns, cached);
  }
  return !mayConcern(call, cached, by);
}

const isIndexed = (tool: string, event: string): boolean =>
  (INDEXED_TOOLS as readonly string[]).includes(tool) ||
  (event.startsWith("PostToolUse") && (RESULT_TOOLS as readonly string[]).includes(tool));

/** An index and the results that a resident process caches for it. */
interface KnownConcerns {
  index: ConcernIndex;
  /** Words that are irrelevant to all hooks in every command. */
  unrelatedWords: Set<string>;
  /** Directories of the last call that was irrelevant to all hooks. */
  folders: string;
}
const knownConcerns = new Map<string, KnownConcerns>();
/** Limits for the word cache, so that commands with many or long words don't use up memory. */
const MAX_CACHED_WORDS = 2_000;
const MAX_CACHED_WORD_LENGTH = 64;

/** Returns whether a config file may require a log line or a session-start message for a call that has no hooks. */
function mayConcernConfig(event: string, { system, env }: Judgement): boolean {
  const { HOME = "" } = env;
  if (!HOME.startsWith("/")) return true;
  const configs = surveyFiles(system, { cwd: HOME, roots: [], home: HOME }).listSharedConfigs();
  for (const file of configs) {
    const config = readConfig(file, system)?.config;
    if (!hasKnownKeys(config) || (event === "SessionStart" && config.announce !== undefined)) return true;
  }
  return false;
}

function readConfigOnce(file: InspectedPath, { system, configs }: Judgement): QuickConfig | undefined {
  if (configs?.has(file.path)) return configs.get(file.path);
  const config = readConfig(file, system);
  configs?.set(file.path, config);
  return config;
}

/** Reads a config file. Returns undefined if the file needs a full parse. */
function readConfig({ path, kind, size }: InspectedPath, system: QuickSystem): QuickConfig | undefined {
  const fullText = kind === "file" ? system.readFile(system.toNativePath?.(path) ?? path, size) : undefined;
  if (fullText === undefined) return undefined;
  const { text, programs, calls } = omitAddedRules(fullText);
  return text.includes("__proto__") ? undefined : { config: parseQuickly(text), programs, calls };
}

function mayConcern(call: ReadCall, cached: KnownConcerns, by: Judgement): boolean {
  const { system, env } = by;
  const { cwd, roots } = call;
  const home = env.HOME ?? "";
  if (!cwd.startsWith("/") || !home.startsWith("/") || resolvePath("", cwd) === undefined) return true;
  for (const root of roots) if (!root.startsWith("/") || resolvePath("", root) === undefined) return true;
  if (mentionsConcern(call, cached.index, env)) return true;
  return cached.index.results === "alone"
    ? changesConcerns(surveyFiles(system, { cwd, roots, home }), cached.index, by, withoutInput(call))
    : mayInputConcern(call, cached, by);
}

/** Returns a finished call without its input, to which rules no longer apply. */
const withoutInput = (call: ReadCall): ReadCall => ({ ...call, command: undefined, paths: [] });

function mayInputConcern(call: ReadCall, cached: KnownConcerns, by: Judgement): boolean {
  const { system, env, ownName } = by;
  const { cwd, roots, command, paths } = call;
  // Check the command's words first. If they already need hooks, there is no need to access the disk.
  const read = command === undefined ? undefined : readOrdinaryLine(call, cached, env, ownName);
  if (command !== undefined && !read) return true;
  const survey = surveyFiles(system, { cwd, roots, home: env.HOME ?? "" });
  if (changesConcerns(survey, cached.index, by, call)) return true;
  if (read)
    return (
      !survey.isPlain(read.base) ||
      anyNameNeedsHooks(read, survey) ||
      mayRunOwnCopy(read.line.commands, env.PATH, system)
    );
  return paths.some((path) => mayPathConcern(path, call, cached.index, by, survey));
}

/** Returns whether a file tool's path may concern a hook. */
function mayPathConcern(
  path: string,
  call: ReadCall,
  index: ConcernIndex,
  { env, ownName }: Judgement,
  survey: FileSurvey,
): boolean {
  const { cwd } = call;
  const fullPath = resolvePath(cwd, path);
  if (fullPath === undefined || mentionsText(`${cwd.toLowerCase()}/ ${fullPath.toLowerCase()}/`, index, ownName))
    return true;
  return (
    (index.outward !== EMPTY_WORD_LIST && isOutsideSession(fullPath, cwd, env.HOME)) ||
    !isOrdinaryFile(fullPath, call, survey)
  );
}

/**
 * Returns whether a file can only be reached by this path. Returns false for editing a directory, which removes or
 * moves everything in it.
 */
const isOrdinaryFile = (path: string, { tool }: ReadCall, survey: FileSurvey): boolean =>
  survey.isPlain(path) && (tool !== "Edit" || !survey.isFolder(path));

/** Returns whether a config file may change which calls concern a hook. */
function changesConcerns(survey: FileSurvey, concerns: ConcernIndex, by: Judgement, call: ReadCall): boolean {
  for (const file of survey.listConfigs()) {
    const line = call.command?.replaceAll('"', "").replaceAll("'", "").toLowerCase();
    const { config, programs = "", calls = "" } = readConfigOnce(file, by) ?? {};
    let mention: CallMention | undefined;
    const getMention = () => (mention ??= readMention(call, by.env.HOME ?? "", line));
    if (!isNeutralConfig(config, concerns, { line, getMention })) return true;
    if (programs !== "" && line !== undefined && mentionsProgram(line, programs)) return true;
    if (calls !== "" && mayConcernOmitted(calls, getMention())) return true;
  }
  return false;
}

/** Returns whether an environment variable or part of the call's contents concerns a hook. */
function mentionsConcern(
  { command, contents, payload }: ReadCall,
  concerns: ConcernIndex,
  env: Judgement["env"],
): boolean {
  for (const name of concerns.variables) if (env[name] !== undefined) return true;
  if (concerns.results !== "" && mayResultHoldSecret(payload)) return true;
  if (concerns.results === "alone") return false;
  if (command !== undefined && mentionsContent(command, concerns)) return true;
  for (const text of contents) if (mentionsContent(text, concerns)) return true;
  return false;
}

function mentionsContent(text: string, { contents, secrets }: ConcernIndex): boolean {
  for (const content of contents) if (text.includes(content)) return true;
  return secrets && mayHoldSecret(text);
}

function mentionsText(text: string, { texts }: ConcernIndex, ownName: string): boolean {
  for (const fragment of texts) if (text.includes(fragment)) return true;
  return text.includes(ownName);
}

/** A command in which no word concerns a hook. */
interface OrdinaryLine {
  line: PlainLine;
  /** Directory in which the command runs. */
  base: string;
  /** Words or parts of words in the command that may be file names. */
  names: readonly string[];
}

/** Parses a command and its directory. Returns undefined if a word of the command may concern a hook. */
function readOrdinaryLine(
  call: ReadCall,
  cached: KnownConcerns,
  env: Judgement["env"],
  ownName: string,
): OrdinaryLine | undefined {
  const { command = "", folder = "", cwd } = call;
  const base = resolvePath(cwd, folder);
  // After a `cd`, PWD is treated as unknown, since the new directory isn't resolved here.
  const getValue = (name: string) => (name !== "PWD" ? env[name] : command.includes("cd") ? null : base);
  const line = readLineOnce(call, () => readPlainLine(command, getValue));
  if (!line || expandsConcern(line, cached.index)) return undefined;
  const commandFolder = base === undefined ? undefined : joinPath(base, line.folder ?? "");
  if (base === undefined || commandFolder === undefined) return undefined;
  const folders = `${cwd}/ ${base}/ ${commandFolder}/ `.toLowerCase();
  const text = folders === cached.folders ? line.text : folders + line.text;
  if (mentionsText(text, cached.index, ownName)) return undefined;
  cached.folders = folders;
  if (mentionsWord(line.text, cached) || hasBareWord(line.commands, cached.index)) return undefined;
  for (const target of line.targets)
    for (const directory of [base, commandFolder])
      if (!isOrdinaryOutput(joinPath(directory, target), cwd, env.HOME)) return undefined;
  const names = listNames(line);
  if (mayReachOutside(names, base, call, env.HOME) && mentionsOutsideName(line.text, cached.index)) return undefined;
  return mayMatchName(names, cached.index.names) ? undefined : { line, base, names };
}

/** The last call's command, so that it is parsed only once for all hooks. */
let lastLine: { call: ReadCall; line: PlainLine | undefined } | undefined;
function readLineOnce(call: ReadCall, read: () => PlainLine | undefined): PlainLine | undefined {
  if (lastLine?.call !== call) lastLine = { call, line: read() };
  return lastLine.line;
}

/** Returns whether a command expands a variable that concerns a hook. */
function expandsConcern({ variables }: PlainLine, { expansions }: ConcernIndex): boolean {
  for (const name of variables) {
    const lower = name.toLowerCase();
    for (const fragment of expansions) if (lower.includes(fragment)) return true;
  }
  return false;
}

/**
 * Returns whether one of the names has another path, such as the target of a link. If a name is a directory, a program
 * may look up the other names in it (`cd x; …`, `git -C x …`), so they are checked there as well.
 */
function anyNameNeedsHooks({ line, base, names }: OrdinaryLine, survey: FileSurvey): boolean {
  const allNames = [...names];
  const mayRunOwn = mentionsPolicyCommand(line.commands);
  // The list grows during the loop.
  for (let at = 0; at < allNames.length; at++) {
    const name = allNames[at] as string;
    const fullPath = joinPath(base, name);
    if (allNames.length > MAX_NAMES || fullPath === undefined || !survey.isPlain(fullPath)) return true;
    if (mayRunOwn && survey.isOwnCopy(fullPath)) return true;
    if (name === "." || !survey.isFolder(fullPath)) continue;
    for (const otherName of names) {
      const nestedName = `${name}/${otherName}`;
      if (!otherName.startsWith("/") && !allNames.includes(nestedName)) allNames.push(nestedName);
    }
  }
  return false;
}

/**
 * Returns whether a redirection's target needs no check. It must be a file with an extension in the session's directory
 * or a temporary directory, with no path segment that starts with a dot. Rules don't protect such files from being
 * overwritten.
 */
function isOrdinaryOutput(path: string | undefined, cwd: string, home?: string): boolean {
  if (path === undefined || isOutsideSession(path, cwd, home)) return false;
  // On Windows, `E:/x` is on another drive.
  return (
    !path.includes("/.") && !path.includes(":") && path.lastIndexOf(".") > path.lastIndexOf("/") && !path.endsWith(".")
  );
}

function mentionsWord(text: string, { index, unrelatedWords }: KnownConcerns): boolean {
  const words = splitWords(text);
  for (const word of words) {
    if (unrelatedWords.has(word)) continue;
    let isUnrelated = true;
    for (const name of listProgramNames(word)) {
      if (index.words.includes(`|${name}|`)) return true;
      for (const start of index.wordStarts) if (name.startsWith(start)) return true;
      for (const list of findRows(index.wordLists, name)) {
        isUnrelated = false;
        if (list.every((alternatives) => mentionsAlternative(words, alternatives))) return true;
      }
      for (const parts of findRows(index.wordParts, name)) {
        isUnrelated = false;
        if (parts.some((part) => text.includes(part))) return true;
      }
    }
    if (!isUnrelated || word.length > MAX_CACHED_WORD_LENGTH) continue;
    if (unrelatedWords.size >= MAX_CACHED_WORDS) unrelatedWords.clear();
    unrelatedWords.add(word);
  }
  return false;
}

/** Returns whether one of the alternatives occurs, as in `push/reset`. */
const mentionsAlternative = (words: readonly string[], alternatives: string): boolean =>
  alternatives.includes("/")
    ? alternatives.split("/").some((word) => words.includes(word))
    : words.includes(alternatives);

/** Returns what follows a name in each row of a table such as `|git push|git reset|`. */
function findRows(table: string, name: string): string[][] {
  const rows: string[][] = [];
  const start = `|${name} `;
  for (let at = table.indexOf(start); at >= 0; at = table.indexOf(start, at + 1))
    rows.push(table.slice(at + start.length, table.indexOf("|", at + 1)).split(" "));
  return rows;
}

/**
 * Returns whether the commands contain a word that matters to a hook only as a command without operands, and use it
 * that way.
 */
function hasBareWord(commands: readonly (readonly string[])[], { bareWords }: ConcernIndex): boolean {
  for (const words of commands)
    for (let at = 0; at < words.length; at++) {
      for (const name of listProgramNames((words[at] as string).toLowerCase())) {
        const row = bareWords.indexOf(`|${name} `);
        if (row < 0) continue;
        const letters = bareWords.slice(row + name.length + 2, bareWords.indexOf("|", row + 1));
        const nextWord = (words[at + 1] ?? "").toLowerCase();
        if (
          nextWord.charCodeAt(0) === DASH_CODE
            ? letters.includes(nextWord.charAt(1))
            : nextWord === "" || nextWord.startsWith(UNKNOWN)
        )
          return true;
      }
    }
  return false;
}
