import { type CallIndex, type ConcernIndex, INDEXED_TOOLS, parseConcernIndex } from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { mayHoldSecret } from "../../secrets/scan.ts";
import { type FileSurvey, type InspectedPath, joinPath, resolvePath, surveyFiles } from "./files.ts";
import { type PlainLine, readPlainLine } from "../../shell/screen/line.ts";
import { UNKNOWN } from "../../shell/screen/variables.ts";
import { listNames, MAX_NAMES } from "./names.ts";
import { mayRunOwnCopy, mentionsPolicyCommand } from "./own-runs.ts";
import { mayStandForOne } from "./wildcards.ts";
import { mentionsOne, omitAddedRules } from "./added-rules.ts";
import { hasKnownKeys, isNeutralConfig } from "./neutral-config.ts";
import { parseQuickly } from "./read-quickly.ts";
import type { ReadCall } from "./shapes.ts";
import type { QuickSystem } from "../../system/quick-types.ts";

/** What calls are judged by. */
export interface Judgement {
  index: CallIndex;
  system: QuickSystem;
  env: Readonly<Record<string, string | undefined>>;
  /** The name of this executable, in lower case. */
  ownName: string;
  /** What config files say, by path, where the call is judged for several hooks. */
  configs?: Map<string, QuickConfig | undefined>;
}

/** The object in a config file without rules that are right, and the programs that they are about. */
interface QuickConfig {
  config: Payload | undefined;
  programs: string;
}

/**
 * Whether no hook can have an opinion on a call: it mentions nothing that concerns any hook. False if that is not
 * certain.
 */
export function concernsNobody(call: ReadCall, by: Judgement): boolean {
  const { event, tool } = call;
  const row = by.index[event];
  if (row === undefined) return !mayBeLogged(by);
  if (tool !== undefined && !(INDEXED_TOOLS as readonly string[]).includes(tool)) return false;
  const concerns = row[tool ?? event];
  if (concerns === undefined) return !mayBeLogged(by);
  if (concerns === false) return false;
  let known = knownConcerns.get(concerns);
  if (!known) {
    known = { index: parseConcernIndex(concerns), others: new Set(), folders: "" };
    knownConcerns.set(concerns, known);
  }
  return !mayConcern(call, known, by);
}

/** An index, and what a resident process has found by it. */
interface KnownConcerns {
  index: ConcernIndex;
  /** Words that mean nothing in any line. */
  others: Set<string>;
  /** The folders of the last call that mention nothing. */
  folders: string;
}
const knownConcerns = new Map<string, KnownConcerns>();
/** Lines have any number of words, of any length. */
const MAX_OTHERS = 2_000;
const MAX_OTHER_LENGTH = 64;

/** Whether the decision log may want a line about a call that no hook is for: a config file may say so. */
function mayBeLogged({ system, env }: Judgement): boolean {
  const { HOME = "" } = env;
  if (!HOME.startsWith("/")) return true;
  const configs = surveyFiles(system, { cwd: HOME, roots: [], home: HOME }).listSharedConfigs();
  for (const file of configs) if (!hasKnownKeys(readConfig(file, system)?.config)) return true;
  return false;
}

function readConfigOnce(file: InspectedPath, { system, configs }: Judgement): QuickConfig | undefined {
  if (configs?.has(file.path)) return configs.get(file.path);
  const found = readConfig(file, system);
  configs?.set(file.path, found);
  return found;
}

/** Reads a config file; undefined where it is to be read the long way. */
function readConfig({ path, kind, size }: InspectedPath, system: QuickSystem): QuickConfig | undefined {
  const whole = kind === "file" ? system.readFile(system.toNativePath?.(path) ?? path, size) : undefined;
  if (whole === undefined) return undefined;
  const { text, programs } = omitAddedRules(whole);
  return text.includes("__proto__") ? undefined : { config: parseQuickly(text), programs };
}

function mayConcern(call: ReadCall, known: KnownConcerns, by: Judgement): boolean {
  const { system, env, ownName } = by;
  const { cwd, command, paths } = call;
  const home = env.HOME ?? "";
  if (!cwd.startsWith("/") || !home.startsWith("/") || resolvePath("", cwd) === undefined) return true;
  for (const root of call.roots) if (!root.startsWith("/") || resolvePath("", root) === undefined) return true;
  if (mentionsAny(call, known.index, env)) return true;
  // The line's words come first: what they don't rule out, the disk is not asked about.
  const read = command === undefined ? undefined : readOrdinaryLine(call, known, env, ownName);
  if (command !== undefined && !read) return true;
  const survey = surveyFiles(system, { cwd, roots: call.roots, home });
  if (changesConcerns(survey, known.index, by, command)) return true;
  if (read)
    return (
      !survey.isPlain(read.base) || mayNamesConcern(read, survey) || mayRunOwnCopy(read.line.commands, env.PATH, system)
    );
  const lower = cwd.toLowerCase();
  for (const path of paths) {
    const full = resolvePath(cwd, path);
    if (full === undefined || mentionsText(`${lower}/ ${full.toLowerCase()}/`, known.index, ownName)) return true;
    if (!isOrdinaryFile(full, call, survey)) return true;
  }
  return false;
}

/** Whether a path is a file's only name. A tool that edits a folder removes or moves it, with all in it. */
const isOrdinaryFile = (path: string, { tool }: ReadCall, survey: FileSurvey): boolean =>
  survey.isPlain(path) && (tool !== "Edit" || !survey.isFolder(path));

/** Whether a config file may change what concerns a hook. */
function changesConcerns(survey: FileSurvey, concerns: ConcernIndex, by: Judgement, command?: string): boolean {
  for (const file of survey.listConfigs()) {
    const line = command?.replaceAll('"', "").replaceAll("'", "").toLowerCase();
    const { config, programs = "" } = readConfigOnce(file, by) ?? {};
    if (!isNeutralConfig(config, concerns, line)) return true;
    if (programs !== "" && line !== undefined && mentionsOne(line, programs)) return true;
  }
  return false;
}

/** Whether a variable of the environment is set that concerns a hook, or a text of the call holds what does. */
function mentionsAny({ command, contents }: ReadCall, concerns: ConcernIndex, env: Judgement["env"]): boolean {
  for (const name of concerns.variables) if (env[name] !== undefined) return true;
  if (command !== undefined && mentionsContent(command, concerns)) return true;
  for (const text of contents) if (mentionsContent(text, concerns)) return true;
  return false;
}

function mentionsContent(text: string, { contents, secrets }: ConcernIndex): boolean {
  for (const piece of contents) if (text.includes(piece)) return true;
  return secrets && mayHoldSecret(text);
}

function mentionsText(text: string, { texts }: ConcernIndex, ownName: string): boolean {
  for (const piece of texts) if (text.includes(piece)) return true;
  return text.includes(ownName);
}

/** A line of which no word concerns a hook. */
interface OrdinaryLine {
  line: PlainLine;
  /** The folder that it runs in. */
  base: string;
  /** What its words may name. */
  names: readonly string[];
}

/** Reads a line, and the folder that it runs in; undefined if one of its words may concern somebody. */
function readOrdinaryLine(
  call: ReadCall,
  known: KnownConcerns,
  env: Judgement["env"],
  ownName: string,
): OrdinaryLine | undefined {
  const { command = "", folder = "", cwd } = call;
  const base = resolvePath(cwd, folder);
  // What the folder is behind a `cd` is not looked up.
  const getValue = (name: string) => (name !== "PWD" ? env[name] : command.includes("cd") ? null : base);
  const line = readLineOnce(call, () => readPlainLine(command, getValue));
  if (!line || expandsOne(line, known.index)) return undefined;
  const place = base === undefined ? undefined : joinPath(base, line.folder ?? "");
  if (base === undefined || place === undefined) return undefined;
  const folders = `${cwd}/ ${base}/ ${place}/ `.toLowerCase();
  const text = folders === known.folders ? line.text : folders + line.text;
  if (mentionsText(text, known.index, ownName)) return undefined;
  known.folders = folders;
  if (mentionsWord(line.text, known) || hasBareWord(line.commands, known.index)) return undefined;
  for (const target of line.targets)
    for (const from of [base, place]) if (!isOrdinaryOutput(joinPath(from, target), cwd)) return undefined;
  const names = listNames(line);
  return mayStandForOne(names, known.index.names) ? undefined : { line, base, names };
}

/** The line of a call, read once for all hooks. */
let lastLine: { call: ReadCall; line: PlainLine | undefined } | undefined;
function readLineOnce(call: ReadCall, read: () => PlainLine | undefined): PlainLine | undefined {
  if (lastLine?.call !== call) lastLine = { call, line: read() };
  return lastLine.line;
}

/** Whether a line expands one of the variables that concern a hook. */
function expandsOne({ variables }: PlainLine, { expansions }: ConcernIndex): boolean {
  for (const name of variables) {
    const lower = name.toLowerCase();
    for (const part of expansions) if (lower.includes(part)) return true;
  }
  return false;
}

/**
 * Whether one of the names is a link, or the like. A folder may be where a program looks for the others (`cd x; …`,
 * `git -C x …`), so they are looked for in it, too.
 */
function mayNamesConcern({ line, base, names }: OrdinaryLine, survey: FileSurvey): boolean {
  const all = [...names];
  const mayRunOwn = mentionsPolicyCommand(line.commands);
  // It grows on the way.
  for (let at = 0; at < all.length; at++) {
    const name = all[at] as string;
    const full = joinPath(base, name);
    if (all.length > MAX_NAMES || full === undefined || !survey.isPlain(full)) return true;
    if (mayRunOwn && survey.isOwnCopy(full)) return true;
    if (name === "." || !survey.isFolder(full)) continue;
    for (const other of names) {
      const inside = `${name}/${other}`;
      if (!other.startsWith("/") && !all.includes(inside)) all.push(inside);
    }
  }
  return false;
}

/**
 * Whether a redirection may write to a file without a look at it: one with an extension in the session's folder or below
 * `/tmp`. No rule is about overwriting such a file, unless a part of its path begins with a dot.
 */
function isOrdinaryOutput(path: string | undefined, cwd: string): boolean {
  if (path === undefined || (!path.startsWith(`${cwd}/`) && !path.startsWith("/tmp/"))) return false;
  return !path.includes("/.") && path.lastIndexOf(".") > path.lastIndexOf("/") && !path.endsWith(".");
}

function mentionsWord(text: string, { index, others }: KnownConcerns): boolean {
  const said = splitWords(text);
  for (const word of said) {
    if (others.has(word)) continue;
    let isOther = true;
    for (const name of listNamesOf(word)) {
      if (index.words.includes(`|${name}|`)) return true;
      for (const start of index.wordStarts) if (name.startsWith(start)) return true;
      for (const list of findRows(index.wordLists, name)) {
        isOther = false;
        if (list.every((other) => said.includes(other))) return true;
      }
      for (const parts of findRows(index.wordParts, name)) {
        isOther = false;
        if (parts.some((part) => text.includes(part))) return true;
      }
    }
    if (!isOther || word.length > MAX_OTHER_LENGTH) continue;
    if (others.size >= MAX_OTHERS) others.clear();
    others.add(word);
  }
  return false;
}

/** The rest of each row of a table, `|git push|git reset|`, that begins with a name. */
function findRows(table: string, name: string): string[][] {
  const found: string[][] = [];
  const start = `|${name} `;
  for (let at = table.indexOf(start); at >= 0; at = table.indexOf(start, at + 1))
    found.push(table.slice(at + start.length, table.indexOf("|", at + 1)).split(" "));
  return found;
}

/**
 * The names that a word may mean: itself, the one before the ending of a file, `mkfs.` of `mkfs.ext4`, the one before a
 * version, `git` of `git-2.40`, and what stands behind the letters of options, `sh` of `-csh`.
 */
function listNamesOf(word: string): string[] {
  const found = [word];
  if (word.charCodeAt(0) === DASH && word.charCodeAt(1) !== DASH)
    for (let at = 2; at < word.length && at <= MAX_LETTERS; at++) found.push(word.slice(at));
  for (let at = 0, { length } = found; at < length; at++) {
    const name = found[at] as string;
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      found.push(name.slice(0, dot + 1));
      if (PROGRAM_ENDINGS.includes(`${name.slice(dot)}|`)) found.push(name.slice(0, dot));
    }
    const end = findVersion(name);
    if (end < name.length) found.push(name.slice(0, end));
  }
  return found;
}

/** Where the version at the end of a name begins, with the dash before it. */
function findVersion(name: string): number {
  let end = name.length;
  for (; end > 0; end--) {
    const code = name.charCodeAt(end - 1);
    if (code !== 46 && (code < 48 || code > 57)) break;
  }
  if (end === 0 || name.endsWith(".")) return name.length;
  return end < name.length && name.charCodeAt(end - 1) === DASH ? end - 1 : end;
}
const DASH = 45;
/** Letters of options before the value in the same word. */
const MAX_LETTERS = 32;
const PROGRAM_ENDINGS = ".exe|.com|.cmd|.bat|.ps1|";

/** Whether one of the words that mean something without operands has none. */
function hasBareWord(commands: readonly (readonly string[])[], { bareWords }: ConcernIndex): boolean {
  for (const words of commands)
    for (let at = 0; at < words.length; at++) {
      for (const name of listNamesOf((words[at] as string).toLowerCase())) {
        const row = bareWords.indexOf(`|${name} `);
        if (row < 0) continue;
        const letters = bareWords.slice(row + name.length + 2, bareWords.indexOf("|", row + 1));
        const next = (words[at + 1] ?? "").toLowerCase();
        if (next.charCodeAt(0) === DASH ? letters.includes(next.charAt(1)) : next === "" || next.startsWith(UNKNOWN))
          return true;
      }
    }
  return false;
}

/** The words of a plain line: of letters, digits, and `_`, `.` and `-`. */
function splitWords(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const isPart =
      (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 95;
    if (isPart) continue;
    if (at > from) found.push(text.slice(from, at));
    from = at + 1;
  }
  return found;
}
