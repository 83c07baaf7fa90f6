import type { AnyEvent } from "../../protocol/event.ts";
import type { Hook } from "../../protocol/hook.ts";
import { DEFAULT_RULE_POLICY, type RulePolicy } from "../../protocol/rule.ts";
import type { ConfigFiles } from "../../policy/files.ts";
import { hasConfigFile, type LoadedOptions, loadDefaultOptions } from "../../policy/sources.ts";
import { awaitWithTimeout } from "../../system/limit.ts";
import type * as Configured from "../config-modules.ts";
import { listProjectFolders } from "../../protocol/project.ts";

/** State shared by the hooks of a call. */
export interface SharedConfig {
  configured?: boolean;
  files?: ConfigFiles;
}

/** A hook's options and rules from the config files. */
interface HookSettings {
  options: object;
  rules: RulePolicy;
}

interface LoadOptions {
  /** Time limit in milliseconds. */
  ms: number;
  sharedConfig: SharedConfig;
  /** Reports problems in the config files. */
  warn: (problem: string) => void;
}

const NO_OPTIONS = Object.freeze({});

/** Loads the options and rules of a hook. */
export async function loadSettings(
  hook: Hook,
  name: string,
  event: AnyEvent,
  terms: LoadOptions,
): Promise<HookSettings> {
  const { sharedConfig, warn } = terms;
  const options = hook.options && (await loadOptions(hook, name, event, terms));
  if (options?.problem !== undefined) warn(describeIgnoredFile(options.problem));
  const hasRules = hook.rules !== undefined || hook.ruleTerms !== undefined;
  const needsRulePolicy = hasRules && (sharedConfig.configured ??= hasConfigFile(listProjectFolders(event)));
  const rules = needsRulePolicy ? await loadRulePolicy(hook, name, event, terms) : DEFAULT_RULE_POLICY;
  return { options: options?.options ?? NO_OPTIONS, rules };
}

/** Describes an ignored config file. All hooks report an unreadable file in the same words. */
const describeIgnoredFile = ({ message, hook }: NonNullable<LoadedOptions["problem"]>): string =>
  `${message}; that file is ignored${hook === undefined ? "" : ` for the hook "${hook}"`}`;

async function loadOptions(hook: Hook, name: string, event: AnyEvent, { ms, sharedConfig }: LoadOptions) {
  sharedConfig.configured ??= hasConfigFile(listProjectFolders(event));
  const defaultOptions = sharedConfig.configured ? undefined : await loadDefaultOptions(hook, ms);
  if (defaultOptions) return defaultOptions;
  // The module is only needed if there are settings to read or errors to report.
  const { readOptionsOf } = await loadConfigured();
  return awaitWithTimeout(readOptionsOf(hook, name, await openConfigFilesFor(event, sharedConfig), ms), ms);
}

const openConfigFilesFor = async (event: AnyEvent, sharedConfig: SharedConfig): Promise<ConfigFiles> =>
  (sharedConfig.files ??= (await loadConfigured()).openConfigFiles(...listProjectFolders(event)));

async function loadRulePolicy(
  { ruleTerms }: Hook,
  name: string,
  event: AnyEvent,
  { sharedConfig, warn }: LoadOptions,
): Promise<RulePolicy> {
  const files = await openConfigFilesFor(event, sharedConfig);
  const { readRulePolicy, describeRuleProblems } = await loadConfigured();
  const rules = await readRulePolicy(name, files, listProjectFolders(event)[0] ?? "", ruleTerms);
  if (rules.isDefault) return rules;
  const reader = { session: event.session_id || event.cwd, env: process.env };
  const problem = await describeRuleProblems(name, files, ruleTerms, reader);
  if (problem !== undefined) warn(problem);
  return rules;
}

let configModules: typeof Configured | undefined;

/** Loads the module for config files. A resident process keeps the module, since repeated imports take time. */
export const loadConfigured = async (): Promise<typeof Configured> =>
  (configModules ??= await import("../config-modules.ts"));
