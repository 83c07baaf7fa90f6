import type { Rule } from "../../src/protocol/rule.ts";
import blockDestructive from "../../hooks/block-destructive.ts";
import { listRules as listDestructiveRules } from "../../hooks/_destructive/rules.ts";
import { listRules as listHooksRules } from "../../hooks/_protect-rules.ts";
import { listRules as listSecretsRules } from "../../hooks/_secrets/rules.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import { quoteCode } from "./markdown.ts";
import { formatProductPage } from "./product-page.ts";
import { formatTable } from "./table.ts";
import { validateOptions } from "../../test/support/ask-hook.ts";

/** Lists a hook's rules with its default settings. */
const withDefaults = async <Options>(hook: { options?: unknown }, list: (options: Options) => readonly Rule[]) =>
  list((await validateOptions(hook as never, {})) as Options);

const HOOK_RULES: readonly [hook: string, rules: readonly Rule[]][] = [
  ["block-destructive", await withDefaults(blockDestructive, listDestructiveRules)],
  ["protect-secrets", await withDefaults(protectSecrets, listSecretsRules)],
  ["protect-hooks", await withDefaults(protectHooks, listHooksRules)],
];

interface Category {
  name: string;
  hook: string;
  rules: readonly Rule[];
}

/** Rule categories: the first segment of the IDs, in order. */
const categories: readonly Category[] = HOOK_RULES.flatMap(([hook, rules]) =>
  Object.entries(Object.groupBy(rules, ({ id }) => id.split("/")[0] as string)).map(([name, ofCategory = []]) => ({
    name,
    hook,
    rules: ofCategory,
  })),
);

const isOff = (rules: readonly Rule[]) => rules.every(({ enabled }) => enabled === false);

/** Maximum number of rules on a page that shows allowed commands. */
const MAX_DETAILED_RULES = 60;

function formatCategory({ name, hook, rules }: Category): string {
  const offNote = isOff(rules)
    ? ` These rules are off unless the hook's \`categories\` setting contains \`${name}\`.`
    : "";
  const list = listItems(rules, rules.length <= MAX_DETAILED_RULES).join("\n");
  const placeholderNote = /<\w/.test(list) ? " `<name>` stands for the matched operand." : "";
  return `# Rules: ${name}

\`${hook}\` enforces these ${rules.length} rules, each with an example of a denied command.${offNote}

\`\`\`sh
bridge-hooks rules ${rules[0]?.id}
\`\`\`

The command prints a rule's patterns and examples. A rule can be [turned off](README.md#turn-a-rule-off).${placeholderNote}

${list}
`;
}

/**
 * Formats rules as list items. Rules with the same reason and advice are nested below a single item with the shared
 * text.
 */
function listItems(rules: readonly Rule[], isDetailed: boolean): string[] {
  const groups = Map.groupBy(rules, ({ id, finds, reason, advice }) => (finds ? id : `${reason}\n${advice}`));
  return [...groups.values()].flatMap((group) => {
    const [first] = group as [Rule];
    if (group.length === 1) return [`- ${formatRule(first, isDetailed)}`];
    return [
      `- ${formatSentences(first.reason.replace(/^it /, "the command ").replace(/^its /, "the command's "), first.advice)}`,
      ...group.map((rule) => `  - ${formatDenial(rule, isDetailed)}`),
    ];
  });
}

/** Formats a rule with its reason and advice. */
function formatRule(rule: Rule, isDetailed: boolean): string {
  const explanation = formatSentences(rule.finds === undefined ? rule.reason : undefined, rule.advice);
  return [`${formatDenial(rule, isDetailed)}.`, explanation].filter(Boolean).join(" ");
}

/** Formats what a rule denies: "**id**: `x` (not `y`)", or "**id** denies a call that …". */
function formatDenial({ id, finds, deny, allow }: Rule, isDetailed: boolean): string {
  const deniedText = [finds, chooseExample(deny)].filter((text) => text !== undefined).join(", such as ");
  const allowedExample = isDetailed && deny.length > 0 ? chooseExample(allow) : undefined;
  return `**${id}**${finds === undefined ? ":" : " denies"} ${deniedText}${allowedExample === undefined ? "" : ` (not ${allowedExample})`}`;
}

/** Maximum length of a preferred example, in characters. */
const MAX_EXAMPLE = 35;

/** Returns the first short example, or the shortest one, as code. */
function chooseExample(lines: readonly string[]): string | undefined {
  const [example] = lines.toSorted((a, b) => Math.max(a.length, MAX_EXAMPLE) - Math.max(b.length, MAX_EXAMPLE));
  return example === undefined ? undefined : quoteCode(example.replaceAll("\n", "↵"));
}

const quotePlaceholders = (text: string) => text.replaceAll(/<[\w ]+>/g, quoteCode);

const formatSentences = (...clauses: readonly (string | undefined)[]) =>
  clauses
    .filter((clause) => clause !== undefined)
    .map((clause) => quotePlaceholders(`${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`))
    .join(" ");

export const rulePages: readonly [file: string, text: string][] = categories.map((category) => [
  `docs/rules/${category.name}.md`,
  formatCategory(category),
]);

export const productPage: [file: string, text: string] = [
  "docs/rules/products.md",
  formatProductPage(HOOK_RULES.flatMap(([hook, rules]) => (hook === "block-destructive" ? rules : []))),
];

/** Category table for the index of rule pages. */
export const rulesOverview = formatTable([
  ["Category", "Hook", "Rules", "Examples"],
  ...categories.map(({ name, hook, rules }) => [
    `[\`${name}\`](${name}.md)${isOff(rules) ? " (off by default)" : ""}`,
    `\`${hook}\``,
    String(rules.length),
    String(rules.reduce((sum, { deny, allow }) => sum + deny.length + allow.length, 0)),
  ]),
]);
