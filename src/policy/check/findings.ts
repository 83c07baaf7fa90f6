import { readFileSync } from "node:fs";
import type { Hook } from "../../protocol/hook.ts";
import { describeWrongType } from "../../protocol/choices.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { getValueAt, isObject } from "../../protocol/object.ts";
import { listSchemaKeys, type Schema } from "../../protocol/schema.ts";
import { runLimited } from "../../system/limit.ts";
import { CONFIG_KEYS, CONFIG_PARTS, type ConfigKey, type ConfigPart, readEnd } from "../describe.ts";
import { readPart } from "../schema.ts";
import { readConfigDocument } from "../read.ts";
import type { ConfigScope, ConfigSource } from "../sources.ts";
import { explainUnknownHook, findReferenceFindings } from "./name-findings.ts";
import { createLocator } from "./positions.ts";
import { SCHEMA_TIMEOUT_MS } from "./rule-catalog.ts";
import {
  describeTrust,
  findExceptionFindings,
  findRuleFindings,
  NOT_TRUSTED_REASON,
  TRUST_PROJECT_ADVICE,
} from "./rule-findings.ts";
import {
  type ConfigDocument,
  type ConfigFinding,
  FIX_FILE_ADVICE,
  describeProblem,
  type FindingContext,
  getUnknownLevel,
  LIST_HOOKS,
  UNKNOWN_SETTING_IMPACT,
  type UnplacedFinding,
} from "./finding.ts";
import { findRepeatedKeys, toSyntaxFinding } from "./syntax-findings.ts";
import { getOwnCommand, quoteTyped } from "../../system/own-command.ts";

/** What a config file is checked against, including the hooks. */
export interface CheckedHooks extends FindingContext {
  /** Hooks by name, except those that can't be loaded. */
  hooks: ReadonlyMap<string, Hook>;
}

export async function loadCheckedHooks(
  entries: readonly { name: string; load: () => Promise<Hook> }[],
): Promise<ReadonlyMap<string, Hook>> {
  const loadedHooks = new Map<string, Hook>();
  for (const { name, load } of entries) {
    // Hooks that can't be loaded are reported separately.
    const hook = await load().catch(() => undefined);
    if (hook) loadedHooks.set(name, hook);
  }
  return loadedHooks;
}

/** Finds all invalid or ineffective parts of a config document, in file order. */
export async function findDocumentFindings(
  { scope, path }: ConfigSource,
  text: string,
  document: ConfigDocument,
  context: CheckedHooks,
): Promise<ConfigFinding[]> {
  const findings: UnplacedFinding[] = [
    ...findRepeatedKeys(text),
    ...findUnknownKeys(document),
    ...CONFIG_KEYS.flatMap((key) => findPartFindings(key, scope, document, context)),
    ...(await findHookFindings(scope, document, context)),
    ...findReferenceFindings(scope, document, context),
    ...findUncheckedRules(document, context),
  ];
  return placeFindings(findings, path, text);
}

/** Checks an installed config file. If the file is unreadable, that is the only finding. */
export async function findFileFindings(
  source: ConfigSource,
  context: CheckedHooks,
): Promise<{ problem?: string; findings: ConfigFinding[] }> {
  try {
    const document = await readConfigDocument(source);
    const text = document && readFileSync(source.path, "utf8");
    return { findings: document ? await findDocumentFindings(source, text as string, document, context) : [] };
  } catch (error) {
    return { problem: (error as Error).message, findings: [toSyntaxFinding(source.path, error as Error)] };
  }
}

/** Adds each finding's line and column and sorts the findings by position. */
function placeFindings(findings: readonly UnplacedFinding[], file: string, text: string): ConfigFinding[] {
  const locate = createLocator(text);
  return findings
    .map(({ path, fix, ...finding }) => ({
      ...finding,
      fix: fix.replace("rules test FILE", () => `rules test ${quoteTyped(file)}`),
      path: path.join("."),
      ...locate(path),
    }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * Reports that some rule ids couldn't be checked. An id can be known to be wrong only if every hook has listed its
 * rules.
 */
const findUncheckedRules = (
  { rules, exceptions, locked }: ConfigDocument,
  { catalog }: FindingContext,
): UnplacedFinding[] =>
  catalog.isComplete || (rules === undefined && exceptions === undefined && !Array.isArray(locked))
    ? []
    : [
        {
          kind: "rules-incomplete",
          level: "note",
          path: [rules === undefined ? (exceptions === undefined ? "locked" : "exceptions") : "rules"],
          message: `not all ids could be checked: ${catalog.problems.join("; ")}`,
          impact: "unknown ids may go unnoticed",
          fix: `run ${getOwnCommand()} list for details`,
        },
      ];

function findUnknownKeys(document: ConfigDocument): UnplacedFinding[] {
  const unknown = Object.keys(document).filter((key) => key !== "$schema" && !Object.hasOwn(CONFIG_PARTS, key));
  return unknown.map((key) => ({
    kind: "key-unknown",
    level: "red",
    path: [key],
    message: `unknown key "${key}"${suggestName(key, CONFIG_KEYS) || `; known: ${CONFIG_KEYS.join(", ")}`}`,
    impact: "this key is ignored; the rest of the file applies",
    fix: FIX_FILE_ADVICE,
  }));
}

const IGNORED_IN_PROJECT = {
  message: "ignored in a project's file",
  impact: "otherwise any cloned repository could set this key",
  fix: "set this key in your own config file",
};
/** Messages about keys that don't belong in this kind of file. */
const IGNORED_PARTS: Partial<Record<ConfigKey, Partial<typeof IGNORED_IN_PROJECT> & { kind?: "exception-ignored" }>> = {
  exceptions: {
    kind: "exception-ignored",
    impact: "the exceptions in this file are ignored; otherwise any cloned repository could weaken a hook",
    fix: 'move the exceptions to your own config file; "project" limits an exception to a directory',
  },
  allow: {
    message: "ignored outside the managed file",
    impact: "every user can create exceptions unless the managed file forbids it",
    fix: "set this key in the managed config file",
  },
};

/** Finds all invalid or ineffective parts of a key's value. */
function findPartFindings(
  key: ConfigKey,
  scope: ConfigScope,
  document: ConfigDocument,
  context: CheckedHooks,
): UnplacedFinding[] {
  if (!Object.hasOwn(document, key)) return [];
  const value = document[key];
  const { scopes, schema }: ConfigPart = CONFIG_PARTS[key];
  if (!scopes.includes(scope))
    return [{ kind: "key-ignored", level: "note", path: [key], ...IGNORED_IN_PROJECT, ...IGNORED_PARTS[key] }];
  if (key === "rules" && isObject(value)) return findRuleFindings(scope, value, context);
  return [
    ...readPart(schema, value).problems.map((problem) => describeProblem(key, scope, problem)),
    ...(key === "mode" ? findExpiredModes(value) : []),
    ...(key === "exceptions" && Array.isArray(value) ? findExceptionFindings(scope, value, context) : []),
  ];
}

/**
 * Finds modes that have ended. The end date may be a mistake. If the year is mistyped, for example, decisions that
 * should only be observed are enforced.
 */
function findExpiredModes(value: unknown, path: readonly string[] = ["mode"]): UnplacedFinding[] {
  if (!isObject(value)) return [];
  const { until, hooks, rules } = value;
  const parts = Object.entries({ hooks, rules }).flatMap(([part, modes]) =>
    isObject(modes) ? Object.entries(modes).flatMap(([name, one]) => findExpiredModes(one, [...path, part, name])) : [],
  );
  return readEnd(until) < Date.now()
    ? [
        {
          kind: "mode-ended",
          level: "note",
          path: [...path, "until"],
          message: `this mode ended on ${String(until)}`,
          impact: "enforce mode has applied since then",
          fix: "delete the mode, or set a later date",
        },
        ...parts,
      ]
    : parts;
}

async function findHookFindings(
  scope: ConfigScope,
  { hooks = {} }: ConfigDocument,
  context: CheckedHooks,
): Promise<UnplacedFinding[]> {
  const findings: UnplacedFinding[] = [];
  for (const [name, settings] of Object.entries(hooks as Record<string, unknown>)) {
    const path = ["hooks", name];
    if (!context.catalog.names.includes(name))
      findings.push({
        kind: "hook-unknown",
        level: getUnknownLevel(scope),
        path,
        message: explainUnknownHook(name, context.catalog),
        impact: "these settings have no effect unless another executable has this hook",
        fix: LIST_HOOKS,
      });
    else if (isObject(settings)) {
      const hook = context.hooks.get(name);
      if (hook) findings.push(...(await findSettingProblems(scope, { name, settings }, hook, context)));
      else
        findings.push({
          kind: "hook-unloadable",
          level: "red",
          path,
          message: "this hook can't be loaded, so its settings were not checked",
          impact: "the hook fails on every call, or its settings may be invalid",
          fix: `run ${getOwnCommand()} list to see why`,
        });
    }
  }
  return findings;
}

async function findSettingProblems(
  scope: ConfigScope,
  { name, settings }: { name: string; settings: Readonly<Record<string, unknown>> },
  { options: schema, trustedOptions = [] }: Hook,
  { files }: CheckedHooks,
): Promise<UnplacedFinding[]> {
  const keys = schema ? listSchemaKeys(schema) : [];
  const unknown = keys ? Object.keys(settings).filter((key) => !keys.includes(key)) : [];
  const knownSettings = Object.fromEntries(Object.entries(settings).filter(([key]) => !unknown.includes(key)));
  const untrustedKeys =
    scope === "project" && !files.isProjectTrusted
      ? Object.keys(knownSettings).filter((key) => trustedOptions.includes(key))
      : [];
  return [
    ...unknown.map((key): UnplacedFinding => ({
      kind: "setting-unknown",
      level: getUnknownLevel(scope),
      path: ["hooks", name, key],
      message: schema
        ? `unknown setting "${key}"${suggestName(key, keys ?? []) || `; known: ${keys?.join(", ")}`}`
        : `the hook ${name} has no settings`,
      impact: UNKNOWN_SETTING_IMPACT,
      fix: LIST_HOOKS,
    })),
    ...untrustedKeys.map((key): UnplacedFinding => ({
      kind: "setting-untrusted",
      level: "note",
      path: ["hooks", name, key],
      message: `ignored: ${NOT_TRUSTED_REASON}${describeTrust(files)}`,
      impact: "otherwise any cloned repository could weaken a hook",
      fix: TRUST_PROJECT_ADVICE,
    })),
    ...(schema ? await validateSettings(name, knownSettings, schema) : []),
  ];
}

/** Validates a hook's settings in one file. Required settings may be missing, since another file may set them. */
async function validateSettings(name: string, settings: ConfigDocument, schema: Schema): Promise<UnplacedFinding[]> {
  const result = await runLimited(async () => schema["~standard"].validate(settings), SCHEMA_TIMEOUT_MS).catch(
    (error: unknown) => ({ issues: [{ message: (error as Error).message, path: undefined }] }),
  );
  return (result.issues ?? []).map(({ message, path = [] }): UnplacedFinding => {
    const parts = path.map((part) => (typeof part === "object" ? part.key : part)).map(toPathPart);
    const isMissing = parts.length === 1 && !Object.hasOwn(settings, String(parts[0]));
    return {
      kind: isMissing ? "setting-missing" : "setting-wrong",
      level: isMissing ? "note" : "red",
      path: ["hooks", name, ...parts],
      message: isMissing
        ? "required, but not set in this file"
        : describeWrongType(message) + suggestValue(settings, parts, message),
      impact: isMissing
        ? "unless another file sets it, the hook fails on every call"
        : "the hook fails on every call; in a project's file, its settings are ignored instead",
      fix: isMissing ? "set it here, or in a file with lower precedence" : FIX_FILE_ADVICE,
    };
  });
}

/** Suggests whichever value listed in the schema's error message is most similar. */
function suggestValue(settings: ConfigDocument, path: readonly (string | number)[], message: string): string {
  const currentValue = getValueAt(settings, path);
  const names = [...message.matchAll(/"([^"]+)"/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== currentValue);
  return typeof currentValue === "string" ? suggestName(currentValue, names) : "";
}

const toPathPart = (part: PropertyKey): string | number => (typeof part === "number" ? part : String(part));
