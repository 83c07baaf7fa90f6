import { findNearestName, formatHint } from "../../protocol/name-suggestions.ts";
import { isObject, isStringList } from "../../protocol/object.ts";
import { readModeStatement } from "../modes.ts";
import { matchesRuleId } from "../rule-ids.ts";
import { listAddedRules } from "../rules.ts";
import type { ConfigScope } from "../sources.ts";
import { listRuleFilesInForce } from "../statements.ts";
import { LOG_LOCK } from "../vocabulary.ts";
import {
  type ConfigDocument,
  type FindingContext,
  getUnknownLevel,
  LIST_HOOKS,
  LIST_RULES,
  type UnplacedFinding,
} from "./finding.ts";
import { findNearestRuleId, type RuleCatalog } from "./rule-catalog.ts";

const knownIds = new WeakMap<FindingContext, readonly string[]>();

/** Lists the ids of all known rules, both from hooks and from the config files in force. */
export function listRuleIds(context: FindingContext): readonly string[] {
  const { catalog, files } = context;
  let ids = knownIds.get(context);
  if (!ids) {
    const hookRuleIds = catalog.hooks.flatMap(({ rules }) => rules.map(({ id }) => id));
    const addedRuleIds = listRuleFilesInForce(files).flatMap((config) => listAddedRules(config).map(([id]) => id));
    knownIds.set(context, (ids = [...new Set([...hookRuleIds, ...addedRuleIds])]));
  }
  return ids;
}

/**
 * Checks whether an id or an id pattern matches a known rule.
 * @returns undefined if it does, or if not all rules are known; otherwise a hint with the most similar rule, or an
 * empty string.
 */
export function explainUnknownRule(pattern: string, context: FindingContext, prefix = ""): string | undefined {
  const ids = listRuleIds(context);
  if (!context.catalog.isComplete || ids.some((id) => matchesRuleId(pattern, id))) return undefined;
  const suggestion = suggestPattern(pattern, ids);
  return formatHint(suggestion === undefined ? undefined : `${prefix}${suggestion}`);
}

/** Suggests the most similar pattern: for `gits/*`, suggests `git/*`. */
function suggestPattern(pattern: string, ids: readonly string[]): string | undefined {
  if (!pattern.includes("*")) return findNearestRuleId(pattern, ids);
  const [category = "", ...nameParts] = pattern.split("/");
  const nearestCategory = findNearestName(category, [...new Set(ids.map((id) => id.split("/", 1)[0] as string))]);
  return nearestCategory === undefined || nearestCategory === category
    ? undefined
    : [nearestCategory, ...nameParts].join("/");
}

/** Formats a message about an unknown hook name. */
export const explainUnknownHook = (name: string, { names }: RuleCatalog, suffix = ""): string => {
  const suggestion = findNearestName(name, names);
  return `no hook is named "${name}"${formatHint(suggestion && `${suggestion}${suffix}`)}`;
};

/** Finds locks and modes for unknown hooks, settings or rules. */
export function findReferenceFindings(
  scope: ConfigScope,
  { locked, mode }: ConfigDocument,
  context: FindingContext,
): UnplacedFinding[] {
  if (scope === "project") return [];
  const locks = isStringList(locked) ? locked : [];
  return [
    ...locks.flatMap((name, at): UnplacedFinding[] => {
      const explanation = explainUnknownLock(name, context);
      const texts = { level: "red", path: ["locked", at], impact: "this lock has no effect" } as const;
      return explanation ? [{ kind: "lock-unknown", ...texts, ...explanation }] : [];
    }),
    ...(isObject(mode) ? findModeFindings(scope, mode, context) : []),
  ];
}

type FindingMessage = Pick<UnplacedFinding, "message" | "fix">;

function explainUnknownLock(name: string, context: FindingContext): FindingMessage | undefined {
  const { catalog } = context;
  if (name === LOG_LOCK || catalog.names.includes(name)) return undefined;
  if (name.startsWith("rules/")) {
    const hint = explainUnknownRule(name.slice("rules/".length), context, "rules/");
    return hint === undefined ? undefined : { message: `no rule matches "${name}"${hint}`, fix: LIST_RULES };
  }
  const slash = name.indexOf("/");
  if (slash < 0) return { message: explainUnknownHook(name, catalog), fix: LIST_HOOKS };
  const [hookName, key] = [name.slice(0, slash), name.slice(slash + 1)];
  if (!catalog.names.includes(hookName))
    return { message: explainUnknownHook(hookName, catalog, `/${key}`), fix: LIST_HOOKS };
  // If the hook can't be loaded or doesn't list its settings, there is nothing to check against.
  const { settings } = catalog.hooks.find((one) => one.name === hookName) ?? {};
  if (!settings || settings.includes(key)) return undefined;
  const suggestion = findNearestName(key, settings);
  const hint = formatHint(suggestion && `${hookName}/${suggestion}`);
  return { message: `the hook ${hookName} has no setting "${key}"${hint}`, fix: LIST_HOOKS };
}

function findModeFindings(
  scope: ConfigScope,
  mode: Readonly<Record<string, unknown>>,
  context: FindingContext,
): UnplacedFinding[] {
  const { catalog } = context;
  const { hooks, rules } = readModeStatement(mode).value;
  const common = { level: getUnknownLevel(scope), impact: "this mode has no effect" } as const;
  return [
    ...Object.keys(hooks)
      .filter((name) => !catalog.names.includes(name))
      .map((name): UnplacedFinding => ({
        ...{ kind: "hook-unknown", path: ["mode", "hooks", name], ...common },
        ...{ message: explainUnknownHook(name, catalog), fix: LIST_HOOKS },
      })),
    ...Object.keys(rules).flatMap((id): UnplacedFinding[] => {
      const hint = explainUnknownRule(id, context);
      const message = `no rule has this id${hint}`;
      return hint === undefined
        ? []
        : [{ kind: "rule-unknown", path: ["mode", "rules", id], ...common, message, fix: LIST_RULES }];
    }),
  ];
}
