import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createRandom, expandTemplate, fillTemplate, hashText, pick, type Random, readTemplates } from "../grammar.ts";
import { VOCABULARY } from "../vocabulary.ts";

/**
 * How many commands are generated for each choice in a template, so that templates with more choices yield more
 * commands.
 */
const LINES_PER_CHOICE = 2.4;
const MAX_LINES_PER_TEMPLATE = 220;
const MIN_LINES_PER_TEMPLATE = 12;

/** Idioms that agents wrap around a command, which is represented by `§`. */
const IDIOMS = [
  "cd «dir» && §",
  "cd /home/me/code/shop && §",
  "§ 2>&1 | tail -«lines»",
  "§ 2>&1 | head -«lines»",
  "cd «dir» && § 2>&1 | tail -«lines»",
  "§ 2>&1 | grep -iE 'error|warn|fail' | head -«lines»",
  "§ || true",
  '§; echo "exit: $?"',
  "(cd «dir» && §)",
  "timeout «num» §",
  "time §",
  "§ > /tmp/«word».log 2>&1; tail -«lines» /tmp/«word».log",
  "§ 2>/dev/null",
  "§ | tee /tmp/«word».txt",
  "set -e; §",
  "echo '--- «word»' && §",
  "§ && echo OK",
  "git status --short && §",
  "§ && git diff --stat",
  "if §; then echo yes; else echo no; fi",
  "export CI=1; §",
  "NODE_ENV=test §",
  "sleep «digit» && §",
  "for i in 1 2 3; do § && break; done",
  'OUT=$(§); echo "$OUT"',
  "# «sentence»\n§",
  'set -euo pipefail\ncd "$(git rev-parse --show-toplevel)"\n§',
];
const IDIOM_SHARE = 0.35;

/** Matches a command whose meaning would change if other words followed it. */
const STANDS_ALONE =
  /<<|\n|&\s*$|&\s|;|^\s*(?:for|while|until|if|case|set|trap|export|alias|cd|source|\{|\(|:|>|[A-Z_]+=)/;

function addIdiom(line: string, random: Random): string {
  if (STANDS_ALONE.test(line) || random() >= IDIOM_SHARE) return line;
  const idiom = pick(IDIOMS, random);
  // Fill in the idiom first, because the command might itself contain template characters.
  const [before = "", after = ""] = fillTemplate(idiom.replace("§", "\u{e001}"), VOCABULARY, random).split("\u{e001}");
  const isPiped = /[|>]/.test(line) || / \|\| | && /.test(line);
  return isPiped && after.startsWith(" 2>&1") ? line : `${before}${line}${after}`;
}

/** Builds ordinary commands, keyed by ecosystem, which is the name of the template file. */
export function buildOrdinaryLines(): Map<string, string[]> {
  const byEcosystem = new Map<string, string[]>();
  const known = new Set<string>();
  for (const file of readdirSync(import.meta.dir)
    .filter((name) => name.endsWith(".txt"))
    .toSorted()) {
    const lines: string[] = [];
    for (const template of readTemplates(readFileSync(join(import.meta.dir, file), "utf8"))) {
      const random = createRandom(hashText(template));
      const choices = template.split("|").length + template.split("«").length;
      const most = Math.min(MAX_LINES_PER_TEMPLATE, Math.max(MIN_LINES_PER_TEMPLATE, choices * LINES_PER_CHOICE));
      for (const plain of expandTemplate(template, VOCABULARY, most, random)) {
        const line = addIdiom(plain, random);
        if (!known.has(line)) lines.push(line);
        known.add(line);
      }
    }
    byEcosystem.set(basename(file, ".txt"), lines);
  }
  return byEcosystem;
}
