import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createRandom, expandTemplate, hashText, pick, readTemplates } from "../grammar.ts";
import { VOCABULARY } from "../vocabulary.ts";

/** How many commands are generated per template, and how many additional spellings per command. */
const MAX_LINES_PER_TEMPLATE = 48;
const SPELLINGS = 1;

const WRAPPER_FILE = "wrappers.txt";

/** Matches shell built-ins and syntax, which other programs can't run. */
const IS_BUILTIN =
  /^(?:[\w$]+=|(?:cd|pushd|set|export|declare|typeset|eval|source|\.|:|for|while|until|if|mapfile|compgen|exec|bomb|f|b|function)(?![\w.-])|[(:>{$])/;
/** Matches multiple commands, or a command whose redirection could be what makes it harmful. */
const IS_COMPOUND = /[|;&<>]|\$\(|`/;
/** Matches a wrapper that can contain any command a shell would accept. */
const TAKES_ANY_LINE = /(?:^|[;{(`\u{23ce}]|&&|\|\||\b(?:do|then)|\*\)|^!|^time) ?§/u;
/** Matches wrappers that use another user's environment, or an empty one. */
const CHANGES_ENVIRONMENT = /^(?:sudo|su|doas|env -i)\b/;

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Whether the command is still harmful when put inside the wrapper. */
function canWrap(wrapper: string, line: string, category: string): boolean {
  if (category === "print-secrets" && CHANGES_ENVIRONMENT.test(wrapper)) return false;
  // A here-document's delimiter must stay on a line by itself.
  if (line.includes("\n")) return /^(?:true && |echo start; |cd \. && |# tidy)/.test(wrapper);
  if (!wrapper.includes("§")) return true;
  // Inside backticks, backslashes have a different meaning, and `eval` removes quotes.
  if (wrapper.includes("`") && /[`\\]/.test(line)) return false;
  if (wrapper === "eval §") return !/['"\\|;&<>(){}]/.test(line);
  return TAKES_ANY_LINE.test(wrapper) || !(IS_BUILTIN.test(line) || IS_COMPOUND.test(line));
}

const wrapLine = (wrapper: string, line: string) =>
  wrapper
    .replaceAll("§", () => line)
    .replaceAll("¶", () => quote(line))
    .replaceAll("β", () => Buffer.from(line).toString("base64"))
    .replaceAll("⏎", "\n");

/** Builds harmful commands, keyed by category, which is the name of the template file. */
export function buildHarmfulLines(): Map<string, string[]> {
  const wrappers = readTemplates(readFileSync(join(import.meta.dir, WRAPPER_FILE), "utf8"));
  const byCause = new Map<string, string[]>();
  for (const file of readdirSync(import.meta.dir)
    .filter((name) => name.endsWith(".txt"))
    .toSorted()) {
    if (file === WRAPPER_FILE) continue;
    const cause = basename(file, ".txt");
    const lines = new Set<string>();
    for (const template of readTemplates(readFileSync(join(import.meta.dir, file), "utf8"))) {
      const random = createRandom(hashText(template));
      const choices = template.split("|").length;
      for (const line of expandTemplate(template, VOCABULARY, Math.min(MAX_LINES_PER_TEMPLATE, choices * 2), random)) {
        lines.add(line);
        const fitting = wrappers.filter((wrapper) => canWrap(wrapper, line, cause));
        for (let count = 0; count < SPELLINGS && fitting.length > 0; count++)
          lines.add(wrapLine(pick(fitting, random), line));
      }
    }
    byCause.set(cause, [...lines]);
  }
  return byCause;
}
