import type { NestedRun } from "./nested-run.ts";
import { readProgramWord } from "../programs/names.ts";
import type { ShellReader } from "../scope.ts";
import type { Word } from "../words/word.ts";

const COPYING = new Set(["cp", "mv", "ln", "link", "install", "ditto"]);

const listOperands = (words: readonly Word[]) => words.filter(({ text }) => !text.startsWith("-"));

/** Notes the name under which a command makes a program available: `ln -s /bin/rm x`, `hash -p /bin/rm x`. */
export function noteProgramCopies([program, ...args]: readonly Word[], { programCopies }: ShellReader): void {
  const name = program && readProgramWord(program).name;
  if (name === undefined || programCopies.size >= MOST_COPIES) return;
  const operands = listOperands(args);
  const [source, target] = COPYING.has(name) ? operands.slice(-2) : name === "hash" ? operands : [];
  const copy = target && readProgramWord(target).name;
  if (source && copy && readProgramWord(source).name !== copy) programCopies.set(copy, source);
}
const MOST_COPIES = 200;

/** Of an alias that is defined several times, only the last texts are kept: branches may have defined it. */
const MOST_TEXTS = 4;

export function addAlias(name: string, text: string, { aliases }: ShellReader): void {
  const before = aliases.get(name)?.filter((one) => one !== text) ?? [];
  aliases.set(name, [...before.slice(1 - MOST_TEXTS), text]);
}

/** Tools that know aliases, which `gh alias set NAME WORDS` defines. */
const ALIASING = new Set(["gh", "glab"]);
const toAliasKey = (tool: string, name: string) => `${tool} ${name}`;

/** What such a tool runs for an alias, and for one that is a text for a shell. */
export function findAliasRuns(tool: string, args: readonly Word[], reader: ShellReader): NestedRun[] {
  if (!ALIASING.has(tool)) return [];
  const operands = listOperands(args).map(({ text }) => text);
  if (operands[0] === "alias" && operands[1] === "set") {
    const [, , name, body = ""] = operands;
    if (body.startsWith("!") || args.some(({ text }) => /^(?:-s|--shell)$/.test(text)))
      return [{ text: body.replace(/^!/, ""), foreign: true }];
    if (name !== undefined) addAlias(toAliasKey(tool, name), body, reader);
    return [];
  }
  const at = args.findIndex(({ text }) => !text.startsWith("-"));
  const key = toAliasKey(tool, args[at]?.text ?? "");
  // An alias of the tool's own name for a command stays that command.
  const bodies = (reader.aliases.get(key) ?? []).filter((body) => body.split(" ", 1)[0] !== args[at]?.text);
  return bodies.map((body) => {
    const words = body.split(/\s+/).map((text) => ({ text }));
    return { words: [{ text: tool }, ...args.slice(0, at), ...words, ...args.slice(at + 1)] };
  });
}
