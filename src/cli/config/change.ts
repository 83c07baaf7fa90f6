import { getValueAt, isObject } from "../../protocol/object.ts";
import { type ConfigFiles, interpretConfig, openSources } from "../../policy/files.ts";
import { parseConfigText } from "../../policy/read.ts";
import { type ConfigScope, type ConfigSource, listConfigSources } from "../../policy/sources.ts";
import type { HookSet } from "../find-hooks.ts";
import type { DocumentPath } from "../../operate/machine/edit/editor.ts";
import { explainUnwritable, readConfigFile, replaceConfigFile } from "../../operate/machine/files.ts";
import { describeTrust } from "../../policy/check/rule-findings.ts";
import { loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import { createLocator } from "../../policy/check/positions.ts";
import { readRuleFiles } from "../../policy/statements.ts";
import { explainSystemError } from "../system-errors.ts";
import { formatPath } from "../terminal/layout.ts";
import type { ConfigFinding } from "../../policy/check/finding.ts";
import { findDocumentFindings, loadCheckedHooks } from "../../policy/check/findings.ts";
import { type ConfigDraft, draftRemoval, draftValue, type DraftJudge, locateNewItems } from "./draft.ts";
import { parseConfigKey } from "./key.ts";
import { getLongValue } from "./short-forms.ts";
import type { ConfigShowReport } from "./report.ts";
import { resolveHookSettings } from "../../policy/check/hook-settings.ts";
import { showConfig } from "./show.ts";

export interface ConfigChange {
  /** A key such as `hooks.block-destructive.allow`. */
  key: string;
  /** The value as typed; absent to remove the key. */
  value?: string;
  scope: ConfigScope;
}

/** A completed change, with the effective config before and after it. */
export interface ChangeResult {
  key: string;
  path: DocumentPath;
  source: ConfigSource;
  /** The position of the new or removed value. */
  place: { line: number; column: number };
  /** The file's value before and after the change; undefined if not set. */
  was: unknown;
  is: unknown;
  before: ConfigShowReport;
  after: ConfigShowReport;
}

/** A change that passed validation. */
export interface PlannedChange {
  source: ConfigSource;
  /** The path of the last changed value. */
  path: DocumentPath;
  content: ReturnType<typeof readConfigFile>;
  current: ConfigDraft;
  draft: ConfigDraft;
}

/**
 * Plans changes to individual values in a config file, in order, without writing anything.
 * @throws Error that explains why the changes are rejected.
 */
export async function planChanges(
  changes: readonly ConfigChange[],
  hooks: HookSet,
  cwd: string,
  sources: readonly ConfigSource[],
): Promise<PlannedChange> {
  const scope = changes[0]?.scope;
  const source = sources.find((candidate) => candidate.scope === scope);
  if (!source) throw new Error(`no ${scope} config file applies to this directory`);
  const content = readConfigFile(source.path);
  const text = content.text ?? "";
  const current: ConfigDraft = {
    text,
    document: text.trim() === "" ? {} : await parseConfigText(source.path, text).catch(refuseUnreadable),
  };
  const judge = await createJudge(source, hooks, openSources(sources), cwd);
  const catalog = await loadRuleCatalog(hooks, cwd, openSources(sources));
  const knownNames = {
    hooks: catalog.names,
    rules: [
      ...catalog.hooks.flatMap(({ rules }) => rules.map(({ id }) => id)),
      ...(isObject(current.document.rules) ? Object.keys(current.document.rules) : []),
    ],
  };
  let draft = current;
  let path: DocumentPath = [];
  for (const { key, value } of changes) {
    path = locateNewItems(parseConfigKey(key, knownNames), draft.document);
    const edit = { source, current: draft, path, judge };
    draft = value === undefined ? await draftRemoval(edit, key) : await draftValue(edit, value);
  }
  const readonly = draft.text === current.text ? undefined : explainUnwritable(content, "choose another --scope");
  if (readonly !== undefined) throw new Error(`${formatPath(source.path)} can't be changed: ${readonly}`);
  return { source, path, content, current, draft };
}

/** Whether a change would be written: it must be valid, have an effect, and differ from the file's contents. */
export const changesBehavior = (change: ConfigChange, hooks: HookSet, cwd: string): Promise<boolean> =>
  planChanges([change], hooks, cwd, listConfigSources(cwd)).then(
    ({ current, draft }) => current.text !== draft.text,
    () => false,
  );

/**
 * Changes one value in a config file and leaves all other bytes unchanged. Rejects invalid values, unknown names, and
 * values that the file may not set.
 * @throws Error that explains why nothing was written.
 */
export async function changeConfig(
  change: ConfigChange,
  hooks: HookSet,
  cwd: string,
  sources: readonly ConfigSource[] = listConfigSources(cwd),
): Promise<ChangeResult> {
  const plannedChange = await planChanges([change], hooks, cwd, sources);
  const { source, path, current, draft } = plannedChange;
  const before = await showConfig(hooks, cwd, sources);
  const [was, is] = [getLongValue(current.document, path), getValueAt(draft.document, path)];
  writePlannedChange(plannedChange);
  const position = createLocator((is === undefined ? current : draft).text)(path);
  return {
    key: path.join("."),
    path,
    source,
    place: position,
    was,
    is,
    before,
    after: await showConfig(hooks, cwd, sources),
  };
}

/** @throws Error that names the file, if the file can't be written or has changed since the change was planned. */
export function writePlannedChange({ source, content, current, draft }: PlannedChange): void {
  if (draft.text === current.text) return;
  try {
    replaceConfigFile(source.path, content, draft.text);
  } catch (error) {
    throw new Error(`${formatPath(source.path)} can't be changed (${explainSystemError(error)})`);
  }
}

function refuseUnreadable(error: Error): never {
  throw new Error(`${error.message}; no changes made`);
}

async function createJudge(
  source: ConfigSource,
  hooks: HookSet,
  current: ConfigFiles,
  cwd: string,
): Promise<DraftJudge> {
  const loadedHooks = await loadCheckedHooks(hooks.entries);
  const examine = async (draft: ConfigDraft) => {
    const files = openEditedFiles(source, draft, current);
    const ruleFiles = await readRuleFiles(files);
    const context = { catalog: await loadRuleCatalog(hooks, cwd, files), files: ruleFiles, hooks: loadedHooks };
    return { files, ruleFiles, findings: await findDocumentFindings(source, draft.text, draft.document, context) };
  };
  return async (draft, current, path) => {
    const [before, after] = [await examine(current), await examine(draft)];
    const newFindings = after.findings.filter(
      (finding) => isRefused(finding, path) && !isKnownFinding(finding, before.findings, path),
    );
    if (newFindings.length > 0) return newFindings.map(({ path: at, message }) => `${at}: ${message}`).join("; ");
    const [first, name, key] = path;
    const entry = first === "hooks" ? hooks.entries.find((hook) => hook.name === name) : undefined;
    if (!entry) return undefined;
    const resolvedSettings = await resolveHookSettings(entry, after.files);
    const { problem } = await resolveHookSettings(entry, before.files);
    if (resolvedSettings.problem !== undefined && resolvedSettings.problem !== problem)
      return resolvedSettings.problem.replaceAll("\n", "; ");
    const ignoredSettings = resolvedSettings.statements
      .filter(
        (statement) =>
          statement.file === source.path &&
          statement.effect === "ignored" &&
          (key ?? statement.name) === statement.name,
      )
      .map(({ name: setting, cause, reason = "" }) => {
        const advice = cause === "untrusted" ? describeTrust(after.ruleFiles) : "";
        return `hooks.${entry.name}.${setting}: ignored: ${reason}${advice}`;
      });
    return getValueAt(draft.document, path) === undefined || ignoredSettings.length === 0
      ? undefined
      : ignoredSettings.join("; ");
  };
}

/** Opens the config files as if the draft had already been written. */
function openEditedFiles(source: ConfigSource, { document }: ConfigDraft, { sources, read }: ConfigFiles): ConfigFiles {
  const editedConfig = interpretConfig(source, document);
  return {
    sources,
    read: async (requestedSource) => (requestedSource.path === source.path ? editedConfig : read(requestedSource)),
  };
}

/** Kinds of findings about values that have no effect, whether errors or notes. */
const NO_EFFECT_KINDS: readonly ConfigFinding["kind"][] = [
  "rule-unknown",
  "rule-ignored",
  "rule-untrusted",
  "exception-unknown",
  "exception-ignored",
  "exception-ended",
  "mode-ended",
  "key-ignored",
  "version-newer",
  "hook-unknown",
  "setting-unknown",
];

const isSameOrNestedKey = (path: string, folder: string) => path === folder || path.startsWith(`${folder}.`);

const isRefused = ({ kind, level, path }: ConfigFinding, key: DocumentPath): boolean => {
  const at = key.join(".");
  return (
    level === "red" || (NO_EFFECT_KINDS.includes(kind) && (isSameOrNestedKey(path, at) || isSameOrNestedKey(at, path)))
  );
};

/** Whether a finding already existed elsewhere in the file, in which case it doesn't block the change. */
const isKnownFinding = (finding: ConfigFinding, existing: readonly ConfigFinding[], key: DocumentPath): boolean =>
  !isSameOrNestedKey(finding.path, key.join(".")) &&
  !NO_EFFECT_KINDS.includes(finding.kind) &&
  existing.some(({ path, message }) => path === finding.path && message === finding.message);
