import type { RuleTerms } from "../protocol/hook.ts";
import { suggestName } from "../protocol/name-suggestions.ts";
import { isObject } from "../protocol/object.ts";
import { isOwnRule, RULE_SCHEMA, RULE_ID } from "./describe.ts";
import { getNamedSet } from "./rule-values.ts";
import { type ConfigProblem, readPart } from "./schema.ts";

/**
 * Finds problems in an added rule or in the settings of an existing one. If there are any, the added rule or the
 * settings are ignored, but all other rules apply.
 * @param terms what the rule's pattern can refer to; absent if no loaded hook enforces added rules
 */
export function findRuleProblems(id: string, input: unknown, terms?: RuleTerms): readonly ConfigProblem[] {
  const { value, problems } = readPart(RULE_SCHEMA, input);
  if (id.includes("*") && !(isObject(value) && isOwnRule(value))) return [{ path: [], message: explainWildcard(id) }];
  if (!isObject(value)) return problems;
  const patternProblems = terms ? findTermProblems(value.pattern, terms) : [];
  if (RULE_ID.test(id)) return [...problems, ...patternProblems];
  const idProblem = { path: [], message: `"${id}" is not a valid id; use category/name in lowercase` };
  // Because the id is invalid, there is no telling which rule to change.
  const fieldProblems = isOwnRule(value) ? problems : problems.filter(({ path }) => path.length > 0);
  return [idProblem, ...fieldProblems, ...patternProblems];
}

const explainWildcard = (pattern: string): string =>
  `a rule's name can't contain "*"; to only warn about several rules, use "mode": {"rules": {"${pattern}": "warn"}}`;

/** Finds references in a pattern to unknown sets and conditions. */
function findTermProblems(pattern: unknown, { sets, conditions }: RuleTerms): ConfigProblem[] {
  if (Array.isArray(pattern))
    return pattern.flatMap((one, at) =>
      findTermProblems(one, { sets, conditions }).map(({ message }) => ({ path: ["pattern", at], message })),
    );
  if (typeof pattern !== "string") return [];
  return pattern.split(" ").flatMap((word) => {
    const set = getNamedSet(word);
    const message = word.startsWith("?")
      ? explainUnknownTerm("condition", word.slice(1), conditions)
      : set === undefined
        ? undefined
        : explainUnknownTerm("set", set, sets);
    return message === undefined ? [] : [{ path: ["pattern"], message }];
  });
}

const explainUnknownTerm = (kind: string, name: string, knownNames: readonly string[]): string | undefined =>
  knownNames.includes(name)
    ? undefined
    : `unknown ${kind} "${name}"${suggestName(name, knownNames) || `; known: ${knownNames.join(", ")}`}`;
