import type { Rule } from "../../src/protocol/rule.ts";
import blockDestructive from "../../hooks/block-destructive.ts";
import { listRules as listDestructiveRules } from "../../hooks/_destructive/rules.ts";
import { listRules as listHooksRules } from "../../hooks/_protect-rules.ts";
import { listRules as listSecretsRules } from "../../hooks/_secrets/rules.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import { formatProductPage } from "./product-page.ts";
import { formatTable } from "./table.ts";
import { validateOptions } from "../../test/support/ask-hook.ts";

/** A hook's rules with its default settings. */
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

/** The first part of the ids, in order. */
const categories: readonly Category[] = HOOK_RULES.flatMap(([hook, source, rules]) =>
  Object.entries(Object.groupBy(rules, ({ id }) => id.split("/")[0] as string)).map(([name, ofCategory = []]) => ({
    name,
    hook,
    source,
    rules: ofCategory,
  })),
);

const isOff = (rules: readonly Rule[]) => rules.every(({ enabled }) => enabled === false);

function formatCategory({ name, hook, source, rules }: Category): string {
  const off = isOff(rules) ? ` They are off unless the hook's setting \`categories\` names \`${name}\`.` : "";
  const head = `# Rules: ${name}

What does the category \`${name}\` deny, and what passes?

The rules of \`${hook}\` in the category \`${name}\`. [How to read them](README.md). This page is generated from
\`${source}\` by \`npm run docs\`.${off}`;
  return `${[head, ...rules.map(formatRule)].join("\n\n")}\n`;
}

function formatRule({ id, program, pattern, finds, reason, advice, deny, allow }: Rule): string {
  const facts = [
    ...(program === undefined ? [] : [`- Program: ${program.split("|").map(quoteCode).join(", ")}`]),
    ...(pattern === undefined ? [] : [`- Pattern: ${[pattern].flat().map(formatPattern).join(", or ")}`]),
    ...(finds === undefined ? [] : [`- Finds: ${finds}`]),
  ];
  const why = [reason, advice].filter((text) => text !== undefined).map(formatSentence);
  return [
    `## ${id}`,
    why.join(" "),
    facts.join("\n"),
    ...(deny.length > 0 ? ["Denied:", formatExamples(deny)] : []),
    ...(allow.length > 0 ? ["Passes:", formatExamples(allow)] : []),
  ].join("\n\n");
}

const quoteCode = (text: string) => `\`${text}\``;
const formatPattern = (pattern: string) => (pattern === "" ? "any arguments" : quoteCode(pattern));
const formatExamples = (lines: readonly string[]) => ["```", ...lines, "```"].join("\n");
const formatSentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll(/<\w+>/g, (set) => quoteCode(set));

/** The pages of the rules, by file. */
export const rulePages: readonly [file: string, text: string][] = categories.map((category) => [
  `docs/rules/${category.name}.md`,
  formatCategory(category),
]);

/** The page of the programs that rules are about. */
export const productPage: [file: string, text: string] = [
  "docs/rules/products.md",
  formatProductPage(HOOK_RULES.flatMap(([hook, , rules]) => (hook === "block-destructive" ? rules : []))),
];

/** The table of the categories, for their index. */
export const rulesOverview = formatTable([
  ["Category", "Hook", "Rules", "Examples"],
  ...categories.map(({ name, hook, rules }) => [
    `[\`${name}\`](${name}.md)${isOff(rules) ? " (off by default)" : ""}`,
    `\`${hook}\``,
    String(rules.length),
    String(rules.reduce((sum, { deny, allow }) => sum + deny.length + allow.length, 0)),
  ]),
]);
