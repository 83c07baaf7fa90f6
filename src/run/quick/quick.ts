import { PROBE } from "../../protocol/probe.ts";
import { type CallIndex, type ConcernIndex, INDEXED_TOOLS, parseConcernIndex } from "../../protocol/concerns.ts";
import type { Payload } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import { mayHoldSecret } from "../secret-scan.ts";
import { type FileSurvey, type InspectedPath, joinPath, resolvePath, surveyFiles } from "./files.ts";
import { type PlainLine, readPlainLine } from "./line.ts";
import { listNames, MAX_NAMES } from "./names.ts";
import { mentionsOne, omitAddedRules } from "./added-rules.ts";
import { hasKnownKeys, isNeutralConfig } from "./neutral-config.ts";
import type { ReadCall } from "./shapes.ts";
import type { QuickSystem } from "./system.ts";

/** Longer payloads are parsed where a deadline can end that. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** What calls are judged by. */
export interface Judgement {
  index: CallIndex;
  system: QuickSystem;
  env: Readonly<Record<string, string | undefined>>;
  /** The name of this executable, in lower case. */
  ownName: string;
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
  const configs = surveyFiles(system, HOME, HOME).listSharedConfigs();
  for (const file of configs) if (!hasKnownKeys(readConfig(file, system)?.config)) return true;
  return false;
}

/**
 * The object in a config file without rules that are right, and the programs that they are about; undefined where it is
 * to be read the long way.
 */
function readConfig(
  { path, kind, size }: InspectedPath,
  system: QuickSystem,
): { config: Payload | undefined; programs: string } | undefined {
  const whole = kind === "file" ? system.readFile(path, size) : undefined;
  if (whole === undefined) return undefined;
  const { text, programs } = omitAddedRules(whole);
  return text.includes("__proto__") ? undefined : { config: parseQuickly(text), programs };
}

function mayConcern(call: ReadCall, known: KnownConcerns, { system, env, ownName }: Judgement): boolean {
  const { cwd, command, paths, contents } = call;
  const concerns = known.index;
  const home = env.HOME ?? "";
  if (!cwd.startsWith("/") || !home.startsWith("/") || resolvePath("", cwd) === undefined) return true;
  for (const name of concerns.variables) if (env[name] !== undefined) return true;
  if (command !== undefined && mentionsContent(command, concerns)) return true;
  for (const text of contents) if (mentionsContent(text, concerns)) return true;
  // The line's words come first: what they don't rule out, the disk is not asked about.
  const read = command === undefined ? undefined : readOrdinaryLine(call, known, ownName);
  if (command !== undefined && !read) return true;
  const survey = surveyFiles(system, cwd, home);
  for (const file of survey.listConfigs()) {
    const said = command?.replaceAll('"', "").replaceAll("'", "").toLowerCase();
    const { config, programs = "" } = readConfig(file, system) ?? {};
    if (!isNeutralConfig(config, concerns, said)) return true;
    if (programs !== "" && said !== undefined && mentionsOne(said, programs)) return true;
  }
  if (read) return !survey.isPlain(read.base) || mayNamesConcern(read.base, listNames(read.line), survey);
  const lower = cwd.toLowerCase();
  for (const path of paths) {
    const full = resolvePath(cwd, path);
    if (full === undefined || mentionsText(`${lower}/ ${full.toLowerCase()}/`, concerns, ownName)) return true;
    if (!survey.isPlain(full)) return true;
  }
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

/** Reads a line, and the folder that it runs in; undefined if one of its words may concern somebody. */
function readOrdinaryLine(
  { command = "", folder = "", cwd }: ReadCall,
  known: KnownConcerns,
  ownName: string,
): { line: PlainLine; base: string } | undefined {
  const line = readPlainLine(command);
  if (!line) return undefined;
  const base = resolvePath(cwd, folder);
  const place = base === undefined ? undefined : joinPath(base, line.folder ?? "");
  if (base === undefined || place === undefined) return undefined;
  const folders = `${cwd}/ ${base}/ ${place}/ `.toLowerCase();
  const text = folders === known.folders ? line.text : folders + line.text;
  if (mentionsText(text, known.index, ownName)) return undefined;
  known.folders = folders;
  if (mentionsWord(line.text, known)) return undefined;
  for (const target of line.targets) if (!isOrdinaryOutput(joinPath(place, target), cwd)) return undefined;
  return { line, base };
}

/**
 * Whether one of the names is a link, or the like. A folder may be where a program looks for the others (`cd x; …`,
 * `git -C x …`), so they are looked for in it, too.
 */
function mayNamesConcern(base: string, names: readonly string[], survey: FileSurvey): boolean {
  const all = [...names];
  // It grows on the way.
  for (let at = 0; at < all.length; at++) {
    const name = all[at] as string;
    const full = joinPath(base, name);
    if (all.length > MAX_NAMES || full === undefined || !survey.isPlain(full) || survey.isOwnCopy(full)) return true;
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
  const { words, wordLists, wordStarts } = index;
  const said = splitWords(text);
  for (const word of said) {
    if (others.has(word)) continue;
    if (words.includes(`|${word}|`)) return true;
    if (word.endsWith(".exe") && words.includes(`|${word.slice(0, -4)}|`)) return true;
    for (let dot = word.indexOf("."); dot >= 0; dot = word.indexOf(".", dot + 1))
      if (words.includes(`|${word.slice(0, dot + 1)}|`)) return true;
    for (const start of wordStarts) if (word.startsWith(start)) return true;
    const start = `|${word} `;
    let at = wordLists.indexOf(start);
    if (at < 0 && word.length <= MAX_OTHER_LENGTH) {
      if (others.size >= MAX_OTHERS) others.clear();
      others.add(word);
    }
    for (; at >= 0; at = wordLists.indexOf(start, at + 1)) {
      const list = wordLists.slice(at + start.length, wordLists.indexOf("|", at + 1));
      if (list.split(" ").every((other) => said.includes(other))) return true;
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

/** What an entry's flags say of a call. */
export interface EntryFlags {
  host?: string;
  /** The host's own event. */
  event?: string;
}

/** The flags of an entry that the quick path knows; undefined for any others. */
export function readEntryFlags(argv: readonly string[]): EntryFlags | undefined {
  const found: EntryFlags = {};
  for (let at = 0; at < argv.length; at += 2) {
    const name = argv[at];
    const value = argv[at + 1] ?? "";
    if (value === "" || value.startsWith("-")) return undefined;
    if (name === "--host" && found.host === undefined) found.host = value;
    else if (name === "--event" && found.event === undefined) found.event = value;
    else if (name !== "--on-error" || (value !== "allow" && value !== "deny")) return undefined;
  }
  return found;
}

/** The payload in a text; undefined where it is to be read with a deadline, is no object, or is sent by `doctor`. */
export function parseQuickly(text: string): Payload | undefined {
  if (text.length > MAX_LENGTH || (text.length <= SEARCHED_LENGTH && text.includes(PROBE))) return undefined;
  try {
    const payload: unknown = JSON.parse(text);
    return isObject(payload) && (text.length <= SEARCHED_LENGTH || !hasProbe(payload, text)) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** To search a longer text takes longer than to look at its values. */
const SEARCHED_LENGTH = 1 << 16;
const MAX_VALUES = 1_000;

/**
 * Whether `doctor` may have sent a payload: one of the values is the probe, or the text of an object that may have it. Where
 * there are many, all of the payload's text is searched.
 */
function hasProbe(payload: Payload, text: string): boolean {
  const values: unknown[] = [payload];
  // It grows on the way.
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value === "string") {
      const mayHave = value.length <= SEARCHED_LENGTH || value.trimStart().startsWith("{");
      if (mayHave && value.includes(PROBE)) return true;
    } else if (typeof value === "object" && value !== null) {
      if (Array.isArray(value) && value.length > MAX_VALUES) return text.includes(PROBE);
      for (const key in value) if (values.push((value as Payload)[key]) > MAX_VALUES) return text.includes(PROBE);
    }
  }
  return false;
}
