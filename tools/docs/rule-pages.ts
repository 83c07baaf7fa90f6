import type { Rule } from "../../src/protocol/rule.ts";
import blockDestructive from "../../hooks/block-destructive.ts";
import { listRules as listDestructiveRules } from "../../hooks/_destructive/rules.ts";
import { listRules as listHooksRules } from "../../hooks/_protect-rules.ts";
import { listRules as listSecretsRules } from "../../hooks/_secrets/rules.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import { quoteCode } from "./markdown.ts";
import { formatProductPage, UNLISTED_CATEGORIES } from "./product-page.ts";
import { formatTable } from "./table.ts";
import { validateOptions } from "../../test/support/ask-hook.ts";

/** Lists a hook's rules with its default settings. */
const withDefaults = async <Options>(hook: { options?: unknown }, list: (options: Options) => readonly Rule[]) =>
  list((await validateOptions(hook as never, {})) as Options);

const HOOK_RULES: readonly [hook: string, source: string, rules: readonly Rule[]][] = [
  ["block-destructive", "hooks/_destructive", await withDefaults(blockDestructive, listDestructiveRules)],
  ["protect-secrets", "hooks/_secrets/rules.ts", await withDefaults(protectSecrets, listSecretsRules)],
  ["protect-hooks", "hooks/_protect-rules.ts", await withDefaults(protectHooks, listHooksRules)],
];

interface Category {
  name: string;
  hook: string;
  source: string;
  rules: readonly Rule[];
}

/** Rule categories in order: the first segments of the rule IDs. */
const categories: readonly Category[] = HOOK_RULES.flatMap(([hook, source, rules]) =>
  Object.entries(Object.groupBy(rules, ({ id }) => id.split("/")[0] as string)).map(([name, ofCategory = []]) => ({
    name,
    hook,
    source,
    rules: ofCategory,
  })),
);

const isOff = (rules: readonly Rule[]) => rules.every(({ enabled }) => enabled === false);

/** Above this number of rules, a page shows only one example per rule. */
const MAX_DETAILED_RULES = 60;

function formatCategory({ name, hook, source, rules }: Category): string {
  const off = isOff(rules) ? ` The rules are off unless the hook's setting \`categories\` contains \`${name}\`.` : "";
  const examples = rules.length > MAX_DETAILED_RULES ? 1 : 2;
  return `# Rules: ${name}

The ${rules.length} rules in the category \`${name}\` of \`${hook}\` deny these calls, each with an example.${off}

\`\`\`sh
bridge-hooks rules ${rules[0]?.id}
\`\`\`

shows a rule's patterns and all its examples, denied and passing. \`<name>\` stands for what the rule found. See [how to read rules](README.md).
\`npm run docs\` generates this page from \`${source}\`.

${listItems(rules, examples).join("\n")}
`;
}

/** Explains why a rule's calls are denied, and what to do instead. */
const explainRule = ({ reason, advice }: Rule) =>
  [reason, advice]
    .filter((text) => text !== undefined)
    .map(formatSentence)
    .join(" ");

/** Formats rules as list items. Rules with the same explanation come below it. */
function listItems(rules: readonly Rule[], examples: number): string[] {
  return [...Map.groupBy(rules, explainRule)].flatMap(([why, group]) => {
    const items = group.map((rule) => [rule.id, showRule(rule, examples)] as const);
    if (items.length === 1) return items.map(([id, shown]) => `- **${id}**: ${why} ${shown}`.trimEnd());
    return [`- ${why}`, ...items.map(([id, shown]) => `  - **${id}**: ${shown}`)];
  });
}

/** Formats what a rule finds, its pattern unless the page of products contains it, and examples. */
function showRule({ id, program, pattern, finds, deny, allow }: Rule, examples: number): string {
  const isListed = program !== undefined && !UNLISTED_CATEGORIES.includes(id.split("/")[0] as string);
  const found = finds === undefined ? [] : [`Finds ${finds}.`];
  const matched =
    isListed || pattern === undefined
      ? []
      : [`Pattern: ${[program ?? "", ...[pattern].flat()].filter(Boolean).map(quoteCode).join(" ")}.`];
  const passing = examples > 1 && allow.length > 0 ? [`Passes: ${formatExamples(allow, examples)}.`] : [];
  const denied = deny.length > 0 ? [formatExamples(deny, examples)] : [];
  return [...found, ...matched, ...denied, ...passing].join(" ");
}

/** Maximum length of preferred examples, in characters. */
const MAX_EXAMPLE = 90;

/** Formats the first examples, short ones first. */
const formatExamples = (lines: readonly string[], count: number) =>
  lines
    .map((line) => line.replaceAll("\n", "↵"))
    .toSorted((a, b) => Math.max(a.length, MAX_EXAMPLE) - Math.max(b.length, MAX_EXAMPLE))
    .slice(0, count)
    .map(quoteCode)
    .join(", ");
const formatSentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll(/<[\w ]+>/g, quoteCode);

/** Rule pages by file. */
export const rulePages: readonly [file: string, text: string][] = categories.map((category) => [
  `docs/rules/${category.name}.md`,
  formatCategory(category),
]);

/** Page of programs covered by rules. */
export const productPage: [file: string, text: string] = [
  "docs/rules/products.md",
  formatProductPage(HOOK_RULES.flatMap(([hook, , rules]) => (hook === "block-destructive" ? rules : []))),
];

/** Table of categories for the index of rule pages. */
export const rulesOverview = formatTable([
  ["Category", "Hook", "Rules", "Examples"],
  ...categories.map(({ name, hook, rules }) => [
    `[\`${name}\`](${name}.md)${isOff(rules) ? " (off by default)" : ""}`,
    `\`${hook}\``,
    String(rules.length),
    String(rules.reduce((sum, { deny, allow }) => sum + deny.length + allow.length, 0)),
  ]),
]);
