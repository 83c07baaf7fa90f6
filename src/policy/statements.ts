import type { RuleAction, RuleEffect } from "../protocol/rule.ts";
import type { ConfigFiles, ParsedConfig } from "./files.ts";
import { isTrusted } from "./read.ts";
import { createRulePolicy, isRuleLocked, readAction, STRICTNESS } from "./rules.ts";
import type { ConfigScope } from "./sources.ts";

/** The config files for a directory. Fields for missing or unreadable files are absent. */
export interface RuleFiles {
  managed?: ParsedConfig;
  user?: ParsedConfig;
  project?: ParsedConfig;
  /** Whether the rules in the project's file apply. */
  isProjectTrusted: boolean;
}

export async function readRuleFiles({ sources, read }: ConfigFiles): Promise<RuleFiles> {
  const configs: Partial<Record<ConfigScope, ParsedConfig>> = {};
  for (const source of sources) {
    const config = await read(source).catch(() => undefined);
    if (config) configs[source.scope] = config;
  }
  const { managed, user, project } = configs;
  const trustedFolders = [...(managed?.trusted ?? []), ...(user?.trusted ?? [])];
  return { ...configs, isProjectTrusted: project !== undefined && isTrusted(project, trustedFolders) };
}

/** Lists the files whose rules are in force, in descending order of precedence. */
export const listRuleFilesInForce = ({ managed, user, project, isProjectTrusted }: RuleFiles): ParsedConfig[] =>
  [managed, isProjectTrusted ? project : undefined, user].filter((config) => config !== undefined);

/** Treats a file as if it were the only one. A project's file then counts as trusted. */
export const treatAsOnlyFile = (config: ParsedConfig): RuleFiles => ({
  [config.scope]: config,
  isProjectTrusted: config.scope === "project",
});

/** What applies to a rule if no file changes it. */
export interface RuleDefault {
  action: RuleEffect;
  enabled: boolean;
}

const EMPTY_CONFIG: ParsedConfig = {
  scope: "user",
  path: "",
  hooks: {},
  rules: undefined,
  exceptions: undefined,
  locked: [],
  trusted: [],
};

/** Finds the file that keeps files of a scope from changing a rule. A project's file can't lock rules. */
export const findRuleLock = (
  { managed, user }: RuleFiles,
  scope: ConfigScope,
  hook: string,
  id: string,
): ParsedConfig | undefined =>
  [scope === "managed" ? undefined : managed, scope === "project" ? user : undefined].find(
    (config) => config !== undefined && isRuleLocked(config, hook, id),
  );

/** The reason why a project's file can't weaken a rule. */
export const WEAKENING_REASON = "a project's file can only make a rule stricter";

/** The action a file sets for a rule. */
export interface RuleStatement {
  config: ParsedConfig;
  action: RuleAction;
  /** Why the statement has no effect. Absent if it applies. */
  ignored?: string;
}

/** Lists what each file says about a rule, in descending order of precedence. */
export function listStatements(files: RuleFiles, hook: string, id: string, ruleDefault: RuleDefault): RuleStatement[] {
  const statements: RuleStatement[] = [];
  const { managed, user, project, isProjectTrusted } = files;
  let current: RuleAction = ruleDefault.enabled ? ruleDefault.action : "off";
  let managedAction: RuleAction | undefined;
  const add = (config: ParsedConfig | undefined, explain: (action: RuleAction) => string | undefined) => {
    const action = config && readAction(config, id, ruleDefault.action);
    if (!config || action === undefined) return;
    const lock = findRuleLock(files, config.scope, hook, id);
    const ignoredReason = lock ? `${lock.path} locks this rule` : explain(action);
    statements.push({ config, action, ...(ignoredReason !== undefined && { ignored: ignoredReason }) });
    if (ignoredReason === undefined) current = action;
    if (config.scope === "managed") managedAction = action;
  };
  add(managed, () => undefined);
  add(user, (action) =>
    managedAction !== undefined && STRICTNESS[action] < STRICTNESS[managedAction]
      ? `${managed?.path} sets the action to ${managedAction}, and your file can only make it stricter`
      : undefined,
  );
  add(project, (action) =>
    !isProjectTrusted
      ? "this project is not trusted"
      : STRICTNESS[action] < STRICTNESS[current]
        ? WEAKENING_REASON
        : undefined,
  );
  return statements;
}

/** Returns whether an exception to a rule applies in a directory, disregarding files with higher precedence. */
export const isInForce = (entry: unknown, hook: string, id: string, cwd: string): boolean =>
  createRulePolicy(hook, { managed: { ...EMPTY_CONFIG, exceptions: [entry] } }, cwd, undefined).listExceptions(id)
    .length > 0;

/** Explains why an exception in a file has no effect on a rule. Returns undefined if the exception applies. */
export function explainIgnoredException(
  files: RuleFiles,
  scope: ConfigScope,
  hook: string,
  id: string,
): string | undefined {
  if (scope === "project") return "a project's file can't define exceptions";
  const lock = findRuleLock(files, scope, hook, id);
  if (lock) return `${lock.path} locks this rule`;
  const { managed } = files;
  const managedAction = scope === "user" && managed ? readAction(managed, id, "deny") : undefined;
  return managedAction === undefined ? undefined : `${managed?.path} sets the rule`;
}
