import { afterAll, describe, expect, test } from "bun:test";
import type { Rule } from "../../src/protocol/rule.ts";
import { RULES_BY_CATEGORY } from "../../hooks/_destructive/rules.ts";
import { createProject } from "../score/project.ts";
import { askLine, homeBefore } from "./block-destructive/support.ts";

/**
 * Follows each rule's advice the way a user or model would: the commands a denial suggests must be allowed, both alone
 * and as part of the command line.
 */
const project = createProject();
// Restore HOME, because other test files run in the same process.
process.env.HOME = homeBefore;
afterAll(project.remove);

const ask = (command: string) => askLine(command, { categories: Object.keys(RULES_BY_CATEGORY) }, project.cwd);

/** Extracts the advice in a denial: commands in quotation marks, and options to add or remove. */
function readAdvice(advice: string): { commands: string[]; added: string[]; removed: string[] } {
  const commands = Array.from(advice.matchAll(/"([^"]+)"/g), ([, command = ""]) => command);
  const bare = advice.replace(/"[^"]+"/g, "");
  const isRemoval = /\b(?:leave out|without)\b/.test(bare);
  const options = bare.match(/(?<=^|\s)--?[A-Za-z][\w=-]*/g) ?? [];
  return { commands, added: isRemoval ? [] : options, removed: isRemoval ? options : [] };
}

const SAVES_FIRST = /\b(?:stash them with|save them first)\b/;

/** Returns the commands you get by following the advice for a denied command. */
function followAdvice(line: string, advice: string): string[] {
  const { commands, added, removed } = readAdvice(advice);
  const saving = SAVES_FIRST.test(advice) ? commands.map((command) => `${command} && ${line}`) : [];
  const without = removed.reduce((rest, option) => removeOption(rest, option), line);
  return [
    ...commands,
    ...saving,
    ...added.map((option) => replaceOption(line, option)),
    ...(removed.length > 0 ? [without] : []),
  ];
}

/** Removes an option in its long form (`--volumes`), its short form (`-v`), or from combined short options (`-av`). */
function removeOption(line: string, option: string): string {
  const [letter = ""] = option.replace(/^-+/, "");
  const bare = line.replace(new RegExp(`\\s${option}(?=\\s|$)`, "g"), "");
  return bare
    .replace(/(?<=\s)-(\w+)(?=\s|$)/g, (_, letters: string) => `-${letters.replace(letter, "")}`)
    .replace(/ -(?=\s|$)/g, "");
}

/** `--force-with-lease` replaces `--force`. All other options are added. */
const replaceOption = (line: string, option: string): string =>
  option.startsWith("--force-")
    ? `${removeOption(line, "--force").replace(/--mirror|\+(?=\w)/, "")} ${option}`
    : `${line} ${option}`;

describe("the command suggested by a denial is allowed", () => {
  for (const { id, advice, deny } of Object.values(RULES_BY_CATEGORY).flat() as Rule[]) {
    if (advice === undefined) continue;
    const { commands, added, removed } = readAdvice(advice);
    if (commands.length + added.length + removed.length === 0) continue;
    for (const line of deny as string[])
      test(`${id}: ${line}`, async () => {
        const reason = (await ask(line))?.reason ?? "";
        const [, said = ""] = /; (.*)\. If this is intended/s.exec(reason) ?? [];
        for (const next of followAdvice(line, said))
          expect([next, (await ask(next))?.reason]).toEqual([next, undefined]);
      });
  }
});
