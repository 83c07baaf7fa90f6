import type { Hook } from "../../protocol/hook.ts";
import { isObject } from "../../protocol/object.ts";
import { checkResponse } from "../../protocol/response.ts";
import type { RulePolicy } from "../../protocol/rule.ts";
import { completeEvent } from "../../author/testing/event.ts";
import { runInProcess } from "../../author/testing/call.ts";
import { runInTempDir } from "../../author/testing/temp-dir.ts";
import { isOwnRule } from "../../policy/describe.ts";
import type { ParsedConfig } from "../../policy/files.ts";
import { mergeSettings, validateHookOptions } from "../../policy/merge.ts";
import { runLimited } from "../../system/limit.ts";
import { findRuleProblems } from "../../policy/rule-check.ts";
import { createRulePolicy, type RuleExample } from "../../policy/rules.ts";
import { formatExample } from "../../policy/check/rule-text.ts";
import { createExampleCall, type ExampleCall } from "./example-call.ts";
import type { HookSet } from "../find-hooks.ts";
import { type RuleCatalog, SCHEMA_TIMEOUT_MS } from "../../policy/check/rule-catalog.ts";
import type { TestedExample, TestedRule } from "./test-report.ts";

/** A hook that enforces added rules, with its options from the tested file. */
interface RuleEnforcer {
  name: string;
  hook: Hook;
  options: unknown;
}

/** An enforcing hook with the tested file's rules. */
interface EnforcingHook {
  enforcer: RuleEnforcer;
  policy: RulePolicy;
}

/** The time limit per example, in milliseconds. */
const EXAMPLE_TIMEOUT_MS = 5_000;

/** Lists the rules that a file adds. */
export const listOwnRules = ({ rules = {} }: ParsedConfig) =>
  Object.entries(rules).filter(
    (entry): entry is [string, Record<string, unknown>] => isObject(entry[1]) && isOwnRule(entry[1]),
  );

/**
 * Runs the examples of a file's added rules, with that file as the only config file.
 * @throws Error if the file's settings for an enforcing hook are invalid.
 */
export async function runRuleExamples(
  config: ParsedConfig,
  hooks: HookSet,
  catalog: RuleCatalog,
): Promise<TestedRule[]> {
  const enforcers = await loadEnforcers(hooks, catalog.enforcers, config);
  const createPolicies = (managed: ParsedConfig, folder: string): EnforcingHook[] =>
    enforcers.map((enforcer) => ({
      enforcer,
      policy: createRulePolicy(enforcer.name, { managed }, folder, enforcer.hook.ruleTerms),
    }));
  return runInTempDir(async ({ folder }) => {
    const testedRules: TestedRule[] = [];
    const policies = createPolicies(config, folder);
    // Run one at a time, because hooks share this process.
    for (const [id, rule] of listOwnRules(config)) {
      if (findRuleProblems(id, rule, catalog.terms).length > 0) testedRules.push({ id, ok: false, examples: [] });
      else if (rule.enabled === false) {
        // Test a disabled rule as if it were enabled.
        const rules = { ...config.rules, [id]: { ...rule, enabled: true } };
        testedRules.push(await testRule(id, rule, createPolicies({ ...config, rules }, folder), folder));
      } else testedRules.push(await testRule(id, rule, policies, folder));
    }
    return testedRules;
  });
}

async function loadEnforcers(
  { entries }: HookSet,
  names: readonly string[],
  config: ParsedConfig,
): Promise<RuleEnforcer[]> {
  const enforcers: RuleEnforcer[] = [];
  for (const { name, load } of entries) {
    if (!names.includes(name)) continue;
    const hook = await load();
    if (!hook.options) enforcers.push({ name, hook, options: {} });
    else {
      const settings = await mergeSettings(name, [config], hook, async () => config);
      const { options, wrong } = await runLimited(
        () => validateHookOptions(name, hook.options as NonNullable<Hook["options"]>, settings),
        SCHEMA_TIMEOUT_MS,
      );
      if (wrong.length > 0) throw new Error(wrong[0]);
      enforcers.push({ name, hook, options });
    }
  }
  return enforcers;
}

/** Runs a rule's examples. */
async function testRule(
  id: string,
  { deny = [], allow = [] }: { deny?: RuleExample[]; allow?: RuleExample[] },
  policies: readonly EnforcingHook[],
  folder: string,
): Promise<TestedRule> {
  const examples: TestedExample[] = [];
  for (const example of deny) {
    const result = await runExample(example, id, policies, folder);
    const rulePolicies = policies.map(({ policy, ...rest }) => ({ ...rest, policy: keepOnlyRule(policy, id) }));
    const isMissed =
      result.outcome === "other" && (await runExample(example, id, rulePolicies, folder)).outcome === "passes";
    const outcome = isMissed ? "missed" : result.outcome;
    examples.push({ line: formatExample(example), expected: "deny", ok: outcome === "caught", ...result, outcome });
  }
  for (const example of allow) {
    const result = await runExample(example, id, policies, folder);
    examples.push({
      line: formatExample(example),
      expected: "allow",
      ok: result.outcome === "passes" || result.outcome === "other",
      ...result,
    });
  }
  return { id, ok: examples.every((example) => example.ok), examples };
}

type ExampleResult = Pick<TestedExample, "outcome" | "what">;

/** Runs an example. The rule counts as catching it if any hook does. */
async function runExample(
  example: RuleExample,
  id: string,
  policies: readonly EnforcingHook[],
  folder: string,
): Promise<ExampleResult> {
  let exampleResult: ExampleResult = { outcome: "passes" };
  for (const policy of policies) {
    const result = await askEnforcer(createExampleCall(example, folder), id, policy, folder);
    if (result.outcome === "caught") return result;
    if (result.outcome !== "passes") exampleResult = result;
  }
  return exampleResult;
}

/** Disables all rules except one. */
const keepOnlyRule = (policy: RulePolicy, id: string): RulePolicy => ({
  ...policy,
  isDefault: false,
  resolveAction: (ruleId, ...byHook) => (ruleId === id ? policy.resolveAction(ruleId, ...byHook) : "off"),
});

async function askEnforcer(
  call: ExampleCall,
  id: string,
  { enforcer: { name, hook, options }, policy: rules }: EnforcingHook,
  cwd: string,
): Promise<ExampleResult> {
  const event = completeEvent({ event: "PreToolUse", ...call }, { host: "rules", session_id: "", cwd });
  const { signal } = new AbortController();
  try {
    const { decision, rule } = await runInProcess(() =>
      runLimited(
        async () => checkResponse(await hook.handler(event as never, { options, rules, log() {}, signal } as never)),
        EXAMPLE_TIMEOUT_MS,
      ),
    );
    if (decision !== "deny" && decision !== "ask") return { outcome: "passes" };
    if (rule === id) return { outcome: "caught" };
    return { outcome: "other", what: rule ?? `the hook ${name}` };
  } catch (error) {
    return { outcome: "fails", what: `the hook ${name} fails: ${(error as Error).message}` };
  }
}
