import type { Rule } from "../../src/protocol/rule.ts";
import { quoteCode } from "./markdown.ts";

/** Categories about operating system programs or about any interpreter. Their own pages contain the patterns. */
export const UNLISTED_CATEGORIES = ["filesystem", "downloads"];
/** Limits for displaying a rule: the number of alternatives per word, and of characters. */
const MAX_SHOWN_WORDS = 4;
const MAX_SHOWN = 60;
/** Maximum number of options shown for a rule's exceptions. */
const MAX_SHOWN_OPTIONS = 2;

/** Formats a pattern for readers: `volume|vol ** rm|remove` becomes "volume/vol rm/remove". */
function describePattern(pattern: string): string {
  const tokens = pattern.split(" ").filter((token) => token !== "" && !/^(?:\*\*$|[!?])/.test(token));
  return tokens
    .map((token) => {
      const words = token.split("|");
      return [...words.slice(0, MAX_SHOWN_WORDS), ...(words.length > MAX_SHOWN_WORDS ? ["…"] : [])].join("/");
    })
    .join(" ");
}

/** Lists the options with which a command is allowed. */
const listPassingOptions = (patterns: readonly string[]): string[] => [
  ...new Set(
    patterns
      .flatMap((pattern) => pattern.split(" "))
      .flatMap((token) => (token.startsWith("!") ? token.slice(1).split("|") : [])),
  ),
];

/** Formats the first strings as code, with "…" for the rest. */
function formatCode(texts: readonly string[], isShown: (text: string, at: number) => boolean): string {
  const shown = texts.filter((text, at) => at === 0 || isShown(text, at));
  return [...shown.map(quoteCode), ...(shown.length < texts.length ? ["…"] : [])].join(", ");
}

/** Describes what a rule denies, with a link to the page of the rule's category. */
function formatDenied({ id, pattern = "" }: Rule): string {
  const patterns = [pattern].flat();
  const verbs = [...new Set(patterns.map(describePattern))];
  const denied = verbs.includes("")
    ? "any command"
    : formatCode(verbs, (_, at) => verbs.slice(0, at + 1).join().length <= MAX_SHOWN);
  const options = listPassingOptions(patterns);
  const unless = options.length === 0 ? "" : ` unless ${formatCode(options, (_, at) => at < MAX_SHOWN_OPTIONS)}`;
  return `${denied}${unless} ([${id}](${id.split("/")[0]}.md))`;
}

/** Lists one item per group of programs with the same rules, sorted by the group's first program. */
function listItems(rules: readonly Rule[]): string[] {
  const names = [...new Set(rules.flatMap(({ program = "" }) => program.split("|")))].toSorted();
  const rulesOf = (name: string) => rules.filter(({ program = "" }) => program.split("|").includes(name));
  const groups = Map.groupBy(names, (name) =>
    rulesOf(name)
      .map(({ id }) => id)
      .join(),
  );
  return [...groups.values()].map((group) => {
    const denied = rulesOf(group[0] as string).map(formatDenied);
    return `- ${group.map(quoteCode).join(", ")}: ${denied.join("; ")}`;
  });
}

/** Formats the page of programs covered by the rules of `block-destructive`. */
export function formatProductPage(rules: readonly Rule[]): string {
  const named = rules.filter(
    ({ id, program }) => program !== undefined && !UNLISTED_CATEGORIES.includes(id.split("/")[0] as string),
  );
  const count = new Set(named.flatMap(({ program = "" }) => program.split("|"))).size;
  return `# Products

\`block-destructive\` has rules about ${count} programs. Each item lists programs, the arguments that are denied, and the rule.

\`\`\`sh
bridge-hooks docs products --search helm
bridge-hooks rules cloud/helm-uninstall
\`\`\`

\`a/b\` means one of several words, \`<set>\` is one of the [sets](README.md#sets-and-conditions), "unless" names options with which the
command passes, and … stands for what \`bridge-hooks rules ID\` shows in full. [\`filesystem\`](filesystem.md) and [\`downloads\`](downloads.md) list their programs themselves.
\`npm run docs\` generates this page from \`hooks/_destructive\`.

${listItems(named).join("\n")}
`;
}
