import { afterAll, describe, expect, test } from "bun:test";
import type { Rule } from "../../src/protocol/rule.ts";
import { RULES } from "../../hooks/_destructive/rules.ts";
import { createProject } from "../score/project.ts";
import { askLine, homeBefore } from "./block-destructive/support.ts";

/**
 * Follows the advice of each rule as a person or a model would: what a denial of one of the rule's lines says to run
 * instead passes, alone or in the line.
 */
const project = createProject();
// The tests of other files run in the same process.
process.env.HOME = homeBefore;
afterAll(project.remove);

const ask = (command: string) => askLine(command, { categories: Object.keys(RULES) }, project.cwd);

/** What a denial advises: commands in quotation marks, and options to add or to leave out. */
function readAdvice(advice: string): { commands: string[]; added: string[]; removed: string[] } {
  const commands = Array.from(advice.matchAll(/"([^"]+)"/g), ([, command = ""]) => command);
  const bare = advice.replace(/"[^"]+"/g, "");
  const isRemoval = /\b(?:leave out|without)\b/.test(bare);
  const options = bare.match(/(?<=^|\s)--?[A-Za-z][\w=-]*/g) ?? [];
  return { commands, added: isRemoval ? [] : options, removed: isRemoval ? options : [] };
}

const SAVES_FIRST = /\b(?:stash them with|save them first)\b/;

/** The lines that a person makes of an advice for a denied line. */
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

/** `--volumes` is written `-v` or `--volumes`, and `-av` together with another letter. */
function removeOption(line: string, option: string): string {
  const [letter = ""] = option.replace(/^-+/, "");
  const bare = line.replace(new RegExp(`\\s${option}(?=\\s|$)`, "g"), "");
  return bare
    .replace(/(?<=\s)-(\w+)(?=\s|$)/g, (_, letters: string) => `-${letters.replace(letter, "")}`)
    .replace(/ -(?=\s|$)/g, "");
}

/** `--force-with-lease` takes the place of `--force`; others are added. */
const replaceOption = (line: string, option: string): string =>
  option.startsWith("--force-")
    ? `${removeOption(line, "--force").replace(/--mirror|\+(?=\w)/, "")} ${option}`
    : `${line} ${option}`;

describe("what a denial advises passes", () => {
  for (const { id, advice, deny } of Object.values(RULES).flat() as Rule[]) {
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
