import type { NestedRun } from "./nested-run.ts";
import { readProgramWord } from "../programs/names.ts";
import type { ShellReader } from "../scope.ts";
import type { Word } from "../words/word.ts";

const COPY_PROGRAMS = new Set(["cp", "mv", "ln", "link", "install", "ditto"]);

const listOperands = (words: readonly Word[]) => words.filter(({ text }) => !text.startsWith("-"));

/** Records the new name of a program that is copied or linked: `ln -s /bin/rm x`, `hash -p /bin/rm x`. */
export function recordProgramCopies([program, ...args]: readonly Word[], { programCopies }: ShellReader): void {
  const name = program && readProgramWord(program).name;
  if (name === undefined || programCopies.size >= MAX_COPIES) return;
  const operands = listOperands(args);
  const [source, target] = COPY_PROGRAMS.has(name) ? operands.slice(-2) : name === "hash" ? operands : [];
  const copy = target && readProgramWord(target).name;
  if (source && copy && readProgramWord(source).name !== copy) programCopies.set(copy, source);
}
const MAX_COPIES = 200;

/** Maximum number of definitions to keep for an alias that is defined repeatedly, for example in several branches. */
const MAX_ALIAS_DEFINITIONS = 4;

export function addAlias(name: string, text: string, { aliases }: ShellReader): void {
  const earlierTexts = aliases.get(name)?.filter((earlierText) => earlierText !== text) ?? [];
  aliases.set(name, [...earlierTexts.slice(1 - MAX_ALIAS_DEFINITIONS), text]);
}

/** Tools with their own alias command, such as `gh alias set NAME WORDS`. */
const ALIAS_TOOLS = new Set(["gh", "glab"]);
const toAliasKey = (tool: string, name: string) => `${tool} ${name}`;

/** Finds the commands behind a tool's alias, which can be shell commands. */
export function findAliasRuns(tool: string, args: readonly Word[], reader: ShellReader): NestedRun[] {
  if (!ALIAS_TOOLS.has(tool)) return [];
  const operands = listOperands(args).map(({ text }) => text);
  if (operands[0] === "alias" && operands[1] === "set") {
    const [, , name, body = ""] = operands;
    if (body.startsWith("!") || args.some(({ text }) => /^(?:-s|--shell)$/.test(text)))
      return [{ text: body.replace(/^!/, ""), isForeign: true }];
    if (name !== undefined) addAlias(toAliasKey(tool, name), body, reader);
    return [];
  }
  const at = args.findIndex(({ text }) => !text.startsWith("-"));
  const key = toAliasKey(tool, args[at]?.text ?? "");
  // An alias that starts with its own name isn't expanded.
  const bodies = (reader.aliases.get(key) ?? []).filter((body) => body.split(" ", 1)[0] !== args[at]?.text);
  return bodies.map((body) => {
    const words = body.split(/\s+/).map((text) => ({ text }));
    return { words: [{ text: tool }, ...args.slice(0, at), ...words, ...args.slice(at + 1)] };
  });
}
