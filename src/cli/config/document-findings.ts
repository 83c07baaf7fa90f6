import { type Node, parseTree } from "jsonc-parser";
import * as z from "zod";
import type { Hook } from "../../protocol/hook.ts";
import { findNearestName, hintOf, suggestName } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { listSchemaKeys, type Schema } from "../../protocol/schema.ts";
import { isStringList } from "../../run/config.ts";
import { runLimited } from "../../run/limit.ts";
import { type AllowProblem, readAllowPolicy } from "../../run/exceptions/allow-policy.ts";
import { createRuleFilter, type ModeProblem, readModeStatement } from "../../run/modes.ts";
import { LOG_LOCK } from "../../run/log/log-settings.ts";
import type { ConfigScope, ConfigSource } from "../../run/settings.ts";
import { getValueAt } from "../host-config/edit/editor.ts";
import { CONFIG_VERSION, KNOWN_KEYS } from "../list/config-file.ts";
import { findLogProblems } from "../log/log-problems.ts";
import {
  type ConfigDocument,
  ConfigFindingSchema,
  FINDING_KINDS,
  type FindingContext,
  findRuleDocumentFindings,
  getUnknownLevel,
  LIST_HOOKS,
  placeFindings,
  type UnplacedFinding,
} from "../rules/config-findings.ts";
import { SCHEMA_TIMEOUT_MS } from "../rules/rule-catalog.ts";

/** What is found in a config file besides its rules, exceptions and locks. */
const DOCUMENT_KINDS = [
  "unreadable",
  "version-newer",
  "key-unknown",
  "key-twice",
  "key-ignored",
  "key-wrong",
  "hook-unknown",
  "hook-unloadable",
  "rules-incomplete",
  "setting-unknown",
  "setting-wrong",
  "setting-missing",
  "setting-untrusted",
  "examples-not-run",
] as const;

/** What `config check` and `config show` find in a config file. */
export const DocumentFindingSchema = ConfigFindingSchema.extend({
  kind: z.enum([...FINDING_KINDS, ...DOCUMENT_KINDS]),
});
export type DocumentFinding = z.infer<typeof DocumentFindingSchema>;
type Unplaced = UnplacedFinding<DocumentFinding["kind"]>;

/** The hooks that a config file is judged by. */
export interface JudgingHooks extends FindingContext {
  /** Those that can be loaded, by name. */
  hooks: ReadonlyMap<string, Hook>;
}

export async function loadJudgingHooks(
  entries: readonly { name: string; load: () => Promise<Hook> }[],
): Promise<ReadonlyMap<string, Hook>> {
  const found = new Map<string, Hook>();
  for (const { name, load } of entries) {
    // One that does not load is a finding of its own.
    const hook = await load().catch(() => undefined);
    if (hook) found.set(name, hook);
  }
  return found;
}

/** Finds all that is void, wrong or without effect in the document of a config file, in its order. */
export async function findDocumentFindings(
  { scope, path }: ConfigSource,
  text: string,
  document: ConfigDocument,
  context: JudgingHooks,
): Promise<DocumentFinding[]> {
  const found: Unplaced[] = [
    ...findRepeatedKeys(text),
    ...findKeyProblems(scope, document),
    ...(await findHookProblems(scope, document, context)),
    ...findLockedHookProblems(scope, document, context),
    ...findModeNameProblems(scope, document, context),
    ...findRuleDocumentFindings(scope, document, context),
    ...findUncheckedRules(document, context),
  ];
  return placeFindings(found, path, text);
}

/** Without the rules of all hooks, ids that there are not can't be told from others. */
const findUncheckedRules = ({ rules, exceptions, locked }: ConfigDocument, { catalog }: FindingContext): Unplaced[] =>
  catalog.isComplete || (rules === undefined && exceptions === undefined && !Array.isArray(locked))
    ? []
    : [
        {
          kind: "rules-incomplete",
          level: "note",
          path: [rules === undefined ? (exceptions === undefined ? "locked" : "exceptions") : "rules"],
          message: `not all ids could be checked: ${catalog.problems.join("; ")}`,
          impact: "an id that does not exist may go unnoticed",
          fix: "bridge-hooks list says what is wrong",
        },
      ];

/** A place in a file that does not parse: the error has it. */
export function toSyntaxFinding(file: string, error: Error): DocumentFinding {
  const [, line, column, message] = /^:(\d+):(\d+): (.*)$/s.exec(error.message.slice(file.length)) ?? [];
  const plain = error.message.startsWith(file)
    ? error.message.slice(file.length).replace(/^: ?| (?=can't)/, "")
    : error.message;
  return {
    kind: "unreadable",
    level: "red",
    path: "",
    line: Number(line ?? 1),
    column: Number(column ?? 1),
    message: message ?? plain,
    impact: "every hook with settings fails; a project's file is ignored",
    fix: "correct it there",
  };
}

/** Of a key that is there twice, the last counts, and people see the first. */
function findRepeatedKeys(text: string): Unplaced[] {
  const plain = text.replace(/^\ufeff/, "");
  const root = parseTree(plain, [], { allowTrailingComma: true });
  const found: Unplaced[] = [];
  const visit = (node: Node, path: readonly (string | number)[]) => {
    if (node.type === "array") for (const [at, child] of (node.children ?? []).entries()) visit(child, [...path, at]);
    if (node.type !== "object") return;
    const seen = new Set<string>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      const name = String(key?.value);
      if (seen.has(name))
        found.push({
          kind: "key-twice",
          level: "red",
          path: [...path, name],
          message: `"${name}" appears twice, again on line ${plain.slice(0, key?.offset).split("\n").length}`,
          impact: "the last one wins, and the others are ignored",
          fix: "merge them into one",
        });
      seen.add(name);
      if (value) visit(value, [...path, name]);
    }
  };
  if (root) visit(root, []);
  return found;
}

const CORRECT_IT = "correct it there";

function findKeyProblems(scope: ConfigScope, document: ConfigDocument): Unplaced[] {
  const { $schema: _, version = CONFIG_VERSION, locked, trusted, mode } = document;
  const found: Unplaced[] = [];
  for (const key of Object.keys(document)) {
    if (key === "$schema" || KNOWN_KEYS.includes(key)) continue;
    found.push({
      kind: "key-unknown",
      level: "red",
      path: [key],
      message: `unknown key "${key}"${suggestName(key, KNOWN_KEYS) || `; known: ${KNOWN_KEYS.join(", ")}`}`,
      impact: "it is ignored; the rest of the file applies",
      fix: CORRECT_IT,
    });
  }
  if (version !== CONFIG_VERSION)
    found.push({
      kind: "version-newer",
      level: "note",
      path: ["version"],
      message: `version ${JSON.stringify(version)} is unknown to this executable (it knows ${CONFIG_VERSION})`,
      impact: "what it does not know is ignored",
      fix: "check it with the executable that it is for",
    });
  if (scope !== "managed" && Object.hasOwn(document, "allow"))
    found.push({
      kind: "key-ignored",
      level: "note",
      path: ["allow"],
      message: "ignored outside of the managed file",
      impact: "each user can make exceptions on purpose, unless the managed file says otherwise",
      fix: "say it in the managed config file",
    });
  if (scope === "managed") {
    const problems: AllowProblem[] = [];
    readAllowPolicy(document.allow, problems);
    for (const { path, message } of problems)
      found.push({
        kind: "key-wrong",
        level: "red",
        path: ["allow", ...path],
        message,
        impact: "until it is fixed, nobody can make an exception on purpose",
        fix: CORRECT_IT,
      });
  }
  if (scope === "project") {
    for (const key of ["locked", "trusted", "mode", "log"])
      if (Object.hasOwn(document, key))
        found.push({
          kind: "key-ignored",
          level: "note",
          path: [key],
          message: "ignored in a project's file",
          impact: "otherwise any cloned repository could set it",
          fix: "set it in your own config file",
        });
    return found;
  }
  const modeProblems: ModeProblem[] = [];
  if (mode !== undefined) readModeStatement(mode, modeProblems);
  for (const { path, message } of modeProblems)
    found.push({
      kind: "key-wrong",
      level: "red",
      path: ["mode", ...path],
      message,
      impact: "until it is fixed, it enforces",
      fix: CORRECT_IT,
    });
  if (locked !== undefined && typeof locked !== "boolean" && !isStringList(locked))
    found.push({
      kind: "key-wrong",
      level: "red",
      path: ["locked"],
      message: "must be true, or a list of names",
      impact: "until it is fixed, every hook is locked",
      fix: CORRECT_IT,
    });
  for (const { path, kind, message } of findLogProblems(document.log))
    found.push({
      kind: kind === "unknown" ? "setting-unknown" : "setting-wrong",
      level: kind === "unknown" ? getUnknownLevel(scope) : "red",
      path: ["log", ...path],
      message,
      impact: kind === "unknown" ? "it is ignored; the other settings apply" : "the log is kept with the default",
      fix: CORRECT_IT,
    });
  if (trusted !== undefined && !isStringList(trusted))
    found.push({
      kind: "key-wrong",
      level: "red",
      path: ["trusted"],
      message: "must be a list of folders",
      impact: "until it is fixed, no project is trusted",
      fix: CORRECT_IT,
    });
  return found;
}

const describeUnknownHook = (name: string, names: readonly string[]) =>
  `no hook is named "${name}"${hintOf(findNearestName(name, names))}`;

async function findHookProblems(
  scope: ConfigScope,
  { hooks = {} }: ConfigDocument,
  context: JudgingHooks,
): Promise<Unplaced[]> {
  const found: Unplaced[] = [];
  for (const [name, said] of Object.entries(hooks as Record<string, unknown>)) {
    const path = ["hooks", name];
    if (!context.catalog.names.includes(name))
      found.push({
        kind: "hook-unknown",
        level: getUnknownLevel(scope),
        path,
        message: describeUnknownHook(name, context.catalog.names),
        impact: "these settings have no effect, unless another executable has such a hook",
        fix: LIST_HOOKS,
      });
    else if (!isObject(said))
      found.push({
        kind: "setting-wrong",
        level: "red",
        path,
        message: "must be an object, with the hook's settings by their names",
        impact: "the hook fails at every call; a project's file is ignored for it",
        fix: CORRECT_IT,
      });
    else {
      const hook = context.hooks.get(name);
      if (hook) found.push(...(await findSettingProblems(scope, name, said, hook, context)));
      else
        found.push({
          kind: "hook-unloadable",
          level: "red",
          path,
          message: "this hook can't be loaded, so its settings were not checked",
          impact: "it fails at every call, or its settings may be wrong",
          fix: "bridge-hooks list says why",
        });
    }
  }
  return found;
}

async function findSettingProblems(
  scope: ConfigScope,
  name: string,
  said: Readonly<Record<string, unknown>>,
  { options: schema, trustedOptions = [] }: Hook,
  { files }: JudgingHooks,
): Promise<Unplaced[]> {
  const keys = schema ? listSchemaKeys(schema) : [];
  const unknown = keys ? Object.keys(said).filter((key) => !keys.includes(key)) : [];
  const known = Object.fromEntries(Object.entries(said).filter(([key]) => !unknown.includes(key)));
  const untrusted =
    scope === "project" && !files.isProjectTrusted
      ? Object.keys(known).filter((key) => trustedOptions.includes(key))
      : [];
  return [
    ...unknown.map((key): Unplaced => ({
      kind: "setting-unknown",
      level: getUnknownLevel(scope),
      path: ["hooks", name, key],
      message: schema
        ? `unknown setting "${key}"${suggestName(key, keys ?? []) || `; known: ${keys?.join(", ")}`}`
        : `the hook ${name} has no settings`,
      impact: "it is ignored; the other settings apply",
      fix: LIST_HOOKS,
    })),
    ...untrusted.map((key): Unplaced => ({
      kind: "setting-untrusted",
      level: "note",
      path: ["hooks", name, key],
      message: "ignored unless the user trusts the project",
      impact: "otherwise any cloned repository could loosen a hook",
      fix: 'to trust the project, add its folder to your own config file: "trusted": ["~/code/project"]',
    })),
    ...(schema ? await validateSettings(name, known, schema) : []),
  ];
}

/** A setting that has to be there may stand in another file. */
async function validateSettings(name: string, said: ConfigDocument, schema: Schema): Promise<Unplaced[]> {
  const result = await runLimited(async () => schema["~standard"].validate(said), SCHEMA_TIMEOUT_MS).catch(
    (error: unknown) => ({ issues: [{ message: (error as Error).message, path: undefined }] }),
  );
  return (result.issues ?? []).map(({ message, path = [] }): Unplaced => {
    const parts = path.map((part) => (typeof part === "object" ? part.key : part)).map(toPathPart);
    const isMissing = parts.length === 1 && !Object.hasOwn(said, String(parts[0]));
    return {
      kind: isMissing ? "setting-missing" : "setting-wrong",
      level: isMissing ? "note" : "red",
      path: ["hooks", name, ...parts],
      message: isMissing ? "must be set, and this file does not set it" : message + suggestValue(said, parts, message),
      impact: isMissing
        ? "unless another file sets it, the hook fails at every call"
        : "the hook fails at every call; a project's file is ignored for it",
      fix: isMissing ? "set it here, or in a weaker file" : CORRECT_IT,
    };
  });
}

/** Suggests one of the values that a schema names in its message. */
function suggestValue(said: ConfigDocument, path: readonly (string | number)[], message: string): string {
  const given = getValueAt(said, path);
  const names = [...message.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name).filter((name) => name !== given);
  return typeof given === "string" ? suggestName(given, names) : "";
}

const toPathPart = (part: PropertyKey): string | number => (typeof part === "number" ? part : String(part));

/** Names in `mode` that no hook and no rule has. */
function findModeNameProblems(scope: ConfigScope, { mode }: ConfigDocument, { catalog }: FindingContext): Unplaced[] {
  if (scope === "project" || !isObject(mode)) return [];
  const ids = catalog.hooks.flatMap(({ rules }) => rules.map(({ id }) => id));
  const { hooks, rules } = readModeStatement(mode);
  const createFinding = (path: string[], message: string): Unplaced => ({
    kind: "hook-unknown",
    level: getUnknownLevel(scope),
    path: ["mode", ...path],
    message,
    impact: "this mode has no effect",
    fix: LIST_HOOKS,
  });
  return [
    ...Object.keys(hooks)
      .filter((name) => !catalog.names.includes(name))
      .map((name) => createFinding(["hooks", name], describeUnknownHook(name, catalog.names))),
    ...Object.keys(rules)
      .filter((id) => catalog.isComplete && !ids.some(createRuleFilter(id)))
      .map((id) => createFinding(["rules", id], `no rule has this id${suggestName(id, ids)}`)),
  ];
}

/** Locks of rules and of single settings are found with the rules. */
const findLockedHookProblems = (
  scope: ConfigScope,
  { locked }: ConfigDocument,
  { catalog }: FindingContext,
): Unplaced[] =>
  scope === "project" || !isStringList(locked)
    ? []
    : locked.flatMap((name, at): Unplaced[] =>
        name.includes("/") || name === LOG_LOCK || catalog.names.includes(name)
          ? []
          : [
              {
                kind: "lock-unknown",
                level: "red",
                path: ["locked", at],
                message: describeUnknownHook(name, catalog.names),
                impact: "it locks nothing",
                fix: LIST_HOOKS,
              },
            ],
      );
