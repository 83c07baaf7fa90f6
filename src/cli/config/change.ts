import { isDeepStrictEqual } from "node:util";
import { getValueAt, isObject } from "../../protocol/object.ts";
import { type ConfigFiles, interpretConfig, openSources } from "../../policy/files.ts";
import { parseConfigText } from "../../policy/read.ts";
import { type ConfigScope, type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import type { HookSet } from "../find-hooks.ts";
import { type DocumentPath, type Editor } from "../../operate/machine/edit/editor.ts";
import { createEditor } from "../../operate/machine/edit/entries.ts";
import { explainUnwritable, readConfigFile, replaceConfigFile } from "../../operate/machine/files.ts";
import { describeTrust } from "../../policy/check/rule-findings.ts";
import { loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { createLocator } from "../../policy/check/positions.ts";
import { readRuleFiles } from "../../policy/statements.ts";
import { explainSystemError } from "../system-errors.ts";
import type { ConfigFinding } from "../../policy/check/finding.ts";
import { findDocumentFindings, loadJudgingHooks } from "../../policy/check/findings.ts";
import { parseConfigKey } from "./key.ts";
import type { ConfigShowReport } from "./report.ts";
import { resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { showConfig } from "./show.ts";

/** A change that somebody asks for. */
export interface ConfigChange {
  /** `hooks.block-destructive.allow` */
  key: string;
  /** As it was typed; absent: the key goes. */
  value?: string;
  scope: ConfigScope;
}

/** What was changed, and what the config files came to before and after. */
export interface ChangeResult {
  key: string;
  path: DocumentPath;
  source: ConfigSource;
  /** Where the value stands now; of one that is gone, where it stood. */
  place: { line: number; column: number };
  /** What the file said before and says now; undefined: nothing. */
  was: unknown;
  is: unknown;
  before: ConfigShowReport;
  after: ConfigShowReport;
}

/** A document of a config file. */
interface Draft {
  text: string;
  document: Readonly<Record<string, unknown>>;
}

/**
 * Changes one value in a config file; all else keeps its bytes. Nothing is written that would be wrong or without effect.
 * @throws Error that says why nothing was written.
 */
export async function changeConfig(
  change: ConfigChange,
  hooks: HookSet,
  cwd: string,
  sources: readonly ConfigSource[] = listConfigSources(cwd),
): Promise<ChangeResult> {
  const source = sources.find(({ scope }) => scope === change.scope);
  if (!source) throw new Error(`there is no ${change.scope} file for this folder`);
  const found = readConfigFile(source.path);
  const text = found.text ?? "";
  const current: Draft = {
    text,
    document: text.trim() === "" ? {} : await parseConfigText(source.path, text).catch(refuseUnreadable),
  };
  const judge = await createJudge(source, hooks, openSources(sources), cwd);
  const catalog = await loadRuleCatalog(hooks, cwd, openSources(sources));
  const path = parseConfigKey(change.key, {
    hooks: catalog.names,
    rules: [
      ...catalog.hooks.flatMap(({ rules }) => rules.map(({ id }) => id)),
      ...(isObject(current.document.rules) ? Object.keys(current.document.rules) : []),
    ],
  });
  const was = getValueAt(current.document, path);
  const before = await showConfig(hooks, cwd, sources);
  const edit = { source, current, path, judge };
  const draft =
    change.value === undefined ? await draftRemoval(edit, change.key) : await draftValue(edit, change.value);
  const is = getValueAt(draft.document, path);
  if (draft.text !== current.text) {
    const readonly = explainUnwritable(found, "choose another --scope");
    if (readonly !== undefined) throw new Error(`${source.path} can't be changed: ${readonly}`);
    try {
      replaceConfigFile(source.path, found, draft.text);
    } catch (error) {
      throw new Error(`${source.path} can't be changed (${explainSystemError(error)})`);
    }
  }
  const position = createLocator((is === undefined ? current : draft).text)(path);
  return {
    key: change.key,
    path,
    source,
    place: position,
    was,
    is,
    before,
    after: await showConfig(hooks, cwd, sources),
  };
}

function refuseUnreadable(error: Error): never {
  throw new Error(`${error.message}; nothing was written`);
}

/** Why a document must not be written: what is wrong in it that was not before, or has no effect. */
type Judge = (draft: Draft, current: Draft, path: DocumentPath) => Promise<string | undefined>;

async function createJudge(source: ConfigSource, hooks: HookSet, current: ConfigFiles, cwd: string): Promise<Judge> {
  const loaded = await loadJudgingHooks(hooks.entries);
  const examine = async (draft: Draft) => {
    const files = openEditedFiles(source, draft, current);
    const ruleFiles = await readRuleFiles(files);
    const context = { catalog: await loadRuleCatalog(hooks, cwd, files), files: ruleFiles, hooks: loaded };
    return { files, ruleFiles, findings: await findDocumentFindings(source, draft.text, draft.document, context) };
  };
  return async (draft, current, path) => {
    const [before, after] = [await examine(current), await examine(draft)];
    const wrong = after.findings.filter((one) => isRefused(one, path) && !isOld(one, before.findings, path));
    if (wrong.length > 0) return wrong.map(({ path: at, message }) => `${at}: ${message}`).join("; ");
    const [first, name, key] = path;
    const entry = first === "hooks" ? hooks.entries.find((one) => one.name === name) : undefined;
    if (!entry) return undefined;
    const resolved = await resolveHookSettings(entry, after.files);
    const { problem } = await resolveHookSettings(entry, before.files);
    if (resolved.problem !== undefined && resolved.problem !== problem) return resolved.problem.replaceAll("\n", "; ");
    const ignored = resolved.statements
      .filter((one) => one.file === source.path && one.effect === "ignored" && (key ?? one.name) === one.name)
      .map(({ name: setting, cause, reason = "" }) => {
        const advice = cause === "untrusted" ? describeTrust(after.ruleFiles) : "";
        return `hooks.${entry.name}.${setting}: ignored: ${reason}${advice}`;
      });
    return getValueAt(draft.document, path) === undefined || ignored.length === 0 ? undefined : ignored.join("; ");
  };
}

/** The config files, as if one of them were as the draft. */
function openEditedFiles(source: ConfigSource, { document }: Draft, { sources, read }: ConfigFiles): ConfigFiles {
  const edited = interpretConfig(source, document);
  return { sources, read: async (one) => (one.path === source.path ? edited : read(one)) };
}

/** Kinds of findings at which a value has no effect, whatever their level. */
const VOID_KINDS: readonly ConfigFinding["kind"][] = [
  "rule-unknown",
  "rule-ignored",
  "rule-untrusted",
  "exception-unknown",
  "exception-ignored",
  "exception-ended",
  "key-ignored",
  "version-newer",
  "hook-unknown",
  "setting-unknown",
];

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}.`);

const isRefused = ({ kind, level, path }: ConfigFinding, key: DocumentPath): boolean => {
  const at = key.join(".");
  return level === "red" || (VOID_KINDS.includes(kind) && (isBelow(path, at) || isBelow(at, path)));
};

/** What was wrong elsewhere already is no reason to refuse. */
const isOld = (one: ConfigFinding, before: readonly ConfigFinding[], key: DocumentPath): boolean =>
  !isBelow(one.path, key.join(".")) &&
  !VOID_KINDS.includes(one.kind) &&
  before.some(({ path, message }) => path === one.path && message === one.message);

const describeFile = ({ path, scope }: ConfigSource) => `${path} (${scope})`;

/** A change of one value in a document. */
interface ValueEdit {
  source: ConfigSource;
  current: Draft;
  path: DocumentPath;
  judge: Judge;
}

async function draftValue(edit: ValueEdit, typed: string): Promise<Draft> {
  const { source, current, path, judge } = edit;
  const problems: string[] = [];
  for (const value of listMeanings(typed)) {
    const draft = await editDocument(edit, value, (editor) => setValue(editor, path, value));
    const problem = await judge(draft, current, path);
    if (problem === undefined) return draft;
    problems.push(problem);
  }
  throw new Error(`nothing was written to ${describeFile(source)}: ${problems[0]}`);
}

/**
 * The values that a typed text may stand for: JSON, or the text itself.
 * @throws Error for a list or an object that is not valid JSON.
 */
function listMeanings(typed: string): unknown[] {
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === "object" && value !== null ? [value] : [value, typed];
  } catch (error) {
    if (/^\s*[[{"]/.test(typed))
      throw new Error(`${typed} is not valid JSON (${(error as Error).message}); quote it for the shell: '["a", "b"]'`);
    return [typed];
  }
}

/** @throws Error where something on the way is neither an object nor a list. */
function setValue(editor: Editor, path: DocumentPath, value: unknown): void {
  for (let length = 1; length < path.length; length++) {
    const container = getValueAt(editor.value(), path.slice(0, length));
    if (container === undefined) break;
    const at = path.slice(0, length).join(".");
    const next = path[length] as string | number;
    if (Array.isArray(container)) {
      if (typeof next !== "number" || next > container.length)
        throw new Error(`${at} is a list of ${container.length}: its items are ${at}.0 to ${at}.${container.length}`);
      if (next === container.length && length === path.length - 1) return editor.append(path.slice(0, length), value);
    } else if (!isObject(container)) throw new Error(`${at} is ${JSON.stringify(container)}, and has nothing in it`);
  }
  editor.set(path, value);
}

async function draftRemoval(edit: ValueEdit, key: string): Promise<Draft> {
  const { source, current, path, judge } = edit;
  if (getValueAt(current.document, path) === undefined)
    throw new Error(
      `${key} is not set in ${describeFile(source)}; bridge-hooks config show --origin says what sets it`,
    );
  const draft = await editDocument(edit, undefined, (editor) => {
    editor.remove(path);
    // What held nothing else goes, too.
    for (let parent = path.slice(0, -1); parent.length > 0; parent = parent.slice(0, -1)) {
      if (!editor.isBare(parent) || Array.isArray(getValueAt(editor.value(), parent))) break;
      editor.remove(parent);
    }
  });
  const problem = await judge(draft, current, path);
  if (problem !== undefined) throw new Error(`nothing was written to ${describeFile(source)}: ${problem}`);
  return draft;
}

/**
 * Edits the text of a document.
 * @param expected the value at the path afterwards.
 * @throws Error if the document does not say that: a key may be there twice.
 */
async function editDocument(
  { source, current, path }: ValueEdit,
  expected: unknown,
  change: (editor: Editor) => void,
): Promise<Draft> {
  const editor = createEditor({ syntax: "json" }, current.text);
  change(editor);
  const document = await parseConfigText(source.path, editor.text);
  if (!isDeepStrictEqual(getValueAt(document, path), expected))
    throw new Error(
      `nothing was written to ${describeFile(source)}: a key appears twice, and the last one wins; bridge-hooks config check ${source.path} says where`,
    );
  return { text: editor.text, document };
}
