import type { RuleAction, RuleEffect } from "../protocol/rule.ts";
import type { ConfigFiles, ParsedConfig } from "./files.ts";
import { isTrusted } from "./read.ts";
import { createRulePolicy, isRuleLocked, readAction, STRICTNESS } from "./rules.ts";
import type { ConfigScope } from "./sources.ts";

/** The config files for a folder; absent where one does not exist or can't be read. */
export interface RuleFiles {
  managed?: ParsedConfig;
  user?: ParsedConfig;
  project?: ParsedConfig;
  /** Whether the project's file counts where it speaks of rules. */
  isProjectTrusted: boolean;
}

export async function readRuleFiles({ sources, read }: ConfigFiles): Promise<RuleFiles> {
  const found: Partial<Record<ConfigScope, ParsedConfig>> = {};
  for (const source of sources) {
    const config = await read(source).catch(() => undefined);
    if (config) found[source.scope] = config;
  }
  const { managed, user, project } = found;
  const trusted = [...(managed?.trusted ?? []), ...(user?.trusted ?? [])];
  return { ...found, isProjectTrusted: project !== undefined && isTrusted(project, trusted) };
}

/** The files that count, the strongest first. */
export const listCountingFiles = ({ managed, user, project, isProjectTrusted }: RuleFiles): ParsedConfig[] =>
  [managed, isProjectTrusted ? project : undefined, user].filter((config) => config !== undefined);

/** A file as if it were the only one; a project's as that of a trusted project. */
export const asOnlyFile = (config: ParsedConfig): RuleFiles => ({
  [config.scope]: config,
  isProjectTrusted: config.scope === "project",
});

/** What happens to a call that a rule catches, before any file says something. */
export interface RuleDefault {
  action: RuleEffect;
  enabled: boolean;
}

const NOBODY: ParsedConfig = {
  scope: "user",
  path: "",
  hooks: {},
  rules: undefined,
  exceptions: undefined,
  locked: [],
  trusted: [],
};

/** The file that keeps those of a scope from setting a rule; a project locks nothing. */
export const findRuleLock = (
  { managed, user }: RuleFiles,
  scope: ConfigScope,
  hook: string,
  id: string,
): ParsedConfig | undefined =>
  [scope === "managed" ? undefined : managed, scope === "project" ? user : undefined].find(
    (config) => config !== undefined && isRuleLocked(config, hook, id),
  );

/** A file's word on a rule. */
export interface RuleStatement {
  config: ParsedConfig;
  action: RuleAction;
  /** Why it has no effect; absent where it does. */
  ignored?: string;
}

/** What files say becomes of a rule, the strongest first. */
export function listStatements(files: RuleFiles, hook: string, id: string, byDefault: RuleDefault): RuleStatement[] {
  const found: RuleStatement[] = [];
  const { managed, user, project, isProjectTrusted } = files;
  let current: RuleAction = byDefault.enabled ? byDefault.action : "off";
  let own: RuleAction | undefined;
  const add = (config: ParsedConfig | undefined, explain: (action: RuleAction) => string | undefined) => {
    const action = config && readAction(config, id, byDefault.action);
    if (!config || action === undefined) return;
    const lock = findRuleLock(files, config.scope, hook, id);
    const ignored = lock ? `${lock.path} locks it` : explain(action);
    found.push({ config, action, ...(ignored !== undefined && { ignored }) });
    if (ignored === undefined) current = action;
    if (config.scope === "managed") own = action;
  };
  add(managed, () => undefined);
  add(user, (action) =>
    own !== undefined && STRICTNESS[action] < STRICTNESS[own]
      ? `${managed?.path} sets it to ${own}, and yours can only be stricter`
      : undefined,
  );
  add(project, (action) =>
    !isProjectTrusted
      ? "this project is not trusted"
      : STRICTNESS[action] < STRICTNESS[current]
        ? "a project's file can only make a rule stricter"
        : undefined,
  );
  return found;
}

/** Whether an exception of a file is in force in a folder now for a rule, if nothing stronger is against it. */
export const isInForce = (entry: unknown, hook: string, id: string, cwd: string): boolean =>
  createRulePolicy(hook, { managed: { ...NOBODY, exceptions: [entry] } }, cwd, undefined).listExceptions(id).length > 0;

/** Why an exception of a file from a rule has no effect; undefined where it does. */
export function explainIgnoredException(
  files: RuleFiles,
  scope: ConfigScope,
  hook: string,
  id: string,
): string | undefined {
  if (scope === "project") return "a project's file can't make exceptions";
  const lock = findRuleLock(files, scope, hook, id);
  if (lock) return `${lock.path} locks it`;
  const { managed } = files;
  const managedAction = scope === "user" && managed ? readAction(managed, id, "deny") : undefined;
  return managedAction === undefined ? undefined : `${managed?.path} sets the rule`;
}
