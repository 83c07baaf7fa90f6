import type { Rule } from "../../src/protocol/rule.ts";
import { quoteCode } from "./markdown.ts";

/** Categories of rules for operating system programs and interpreters. They don't count as products. */
const UNLISTED_CATEGORIES = ["filesystem", "downloads"];

const getCategory = (id: string) => id.split("/")[0] as string;

/** Lists one item per group of programs with the same rules, sorted by each group's first program. */
function listItems(rules: readonly Rule[]): string[] {
  const names = [...new Set(rules.flatMap(({ program = "" }) => program.split("|")))].toSorted();
  const rulesOf = (name: string) => rules.filter(({ program = "" }) => program.split("|").includes(name));
  const groups = Map.groupBy(names, (name) =>
    rulesOf(name)
      .map(({ id }) => id)
      .join(),
  );
  return [...groups.values()].map((group) => {
    const links = rulesOf(group[0] as string).map(({ id }) => `[${id}](${getCategory(id)}.md)`);
    return `- ${group.map(quoteCode).join(", ")}: ${links.join(", ")}`;
  });
}

export function formatProductPage(rules: readonly Rule[]): string {
  const namedRules = rules.filter(
    ({ id, program }) => program !== undefined && !UNLISTED_CATEGORIES.includes(getCategory(id)),
  );
  const count = new Set(namedRules.flatMap(({ program = "" }) => program.split("|"))).size;
  return `# Products

\`block-destructive\` has rules for ${count} programs. Each item names programs and the rules that apply to them.

\`\`\`sh
bridge-hooks docs products --search helm
bridge-hooks rules cloud/helm-uninstall
\`\`\`

The second command prints what a rule denies. Rules in [\`filesystem\`](filesystem.md) and [\`downloads\`](downloads.md) aren't listed here.

${listItems(namedRules).join("\n")}
`;
}
