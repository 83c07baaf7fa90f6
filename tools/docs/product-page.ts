import type { Rule } from "../../src/protocol/rule.ts";
import { formatTable } from "./table.ts";

/** Categories that are about programs of the machine itself, or about any interpreter: their pages say more. */
const OTHER_CATEGORIES = ["filesystem", "downloads"];
/** Words of one choice that a cell shows, and its characters. */
const MAX_SHOWN_WORDS = 5;
const MAX_SHOWN = 100;

/** The words of a pattern as people read them: `volume|vol ** rm|remove` is "volume/vol rm/remove". */
function describePattern(pattern: string): string {
  const tokens = pattern.split(" ").filter((token) => token !== "" && !/^(?:\*\*$|[!?])/.test(token));
  return tokens
    .map((token) => {
      const words = token.split("|");
      return [...words.slice(0, MAX_SHOWN_WORDS), ...(words.length > MAX_SHOWN_WORDS ? ["…"] : [])].join("/");
    })
    .join(" ");
}

/** The options with which such a command passes. */
const listPassingOptions = (patterns: readonly string[]): string[] => [
  ...new Set(
    patterns
      .flatMap((pattern) => pattern.split(" "))
      .flatMap((token) => (token.startsWith("!") ? token.slice(1).split("|") : [])),
  ),
];

/** The first texts, as many as a cell has room for. */
function formatCode(texts: readonly string[]): string {
  const shown = texts.filter((_, at) => at === 0 || texts.slice(0, at + 1).join().length <= MAX_SHOWN);
  return [...shown.map((text) => `\`${text}\``), ...(shown.length < texts.length ? ["…"] : [])].join(", ");
}

/** A row for each program and rule, by the program's name. */
function listRows(rules: readonly Rule[]): string[][] {
  const rows = rules.flatMap(({ id, program = "", pattern = "" }) => {
    const patterns = [pattern].flat();
    const verbs = [...new Set(patterns.map(describePattern))];
    const link = `[${id}](${id.split("/")[0]}.md#${id.replace("/", "")})`;
    const denied = verbs.includes("") ? "any command" : formatCode(verbs);
    return program.split("|").map((name) => [`\`${name}\``, denied, formatCode(listPassingOptions(patterns)), link]);
  });
  return rows.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : one > other ? 1 : 0));
}

/** The page of the programs that the rules of `block-destructive` are about. */
export function formatProductPage(rules: readonly Rule[]): string {
  const named = rules.filter(
    ({ id, program }) => program !== undefined && !OTHER_CATEGORIES.includes(id.split("/")[0] as string),
  );
  const count = new Set(named.flatMap(({ program = "" }) => program.split("|"))).size;
  return `# Products

Which programs are rules about, and what may they not do?

The rules of \`block-destructive\` by program: ${count} programs, without those of the categories
${OTHER_CATEGORIES.map((name) => `[\`${name}\`](${name}.md)`).join(" and ")}. A row has the first words of one rule's patterns: \`a/b\` is one of several words,
\`<set>\` is explained among the [sets](README.md#sets-and-conditions), and the rule's own page has all of it, with examples.
A command with one of the options in the third column passes. This page is generated from \`hooks/_destructive\` by \`npm run docs\`.

${formatTable([["Program", "Denied", "Passes with", "Rule"], ...listRows(named)])}
`;
}
