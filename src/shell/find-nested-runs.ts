import { getAttachedValue } from "./operands.ts";
import { getOperandFiles, isShell, lookUpProgram } from "./programs/index.ts";
import { getProgramName } from "./programs/names.ts";
import {
  skipOptions,
  getOptionTable,
  type OptionTable,
  isValueInNextWord,
  type ValueKind,
} from "./programs/options.ts";
import type { CommandArguments, CodeLanguage, Program } from "./programs/program.ts";
import { createNestedRun, joinWords, type NestedRun } from "./nested-run.ts";
import { findPaneCommands, decodeTypedKeys } from "./terminals.ts";
import type { Word } from "./word.ts";

/**
 * Finds the commands in a program's arguments and in what it reads from stdin.
 * @param isKnown whether other tables know the program, so that it is not searched for a shell or an MCP server
 */
export function findNestedRuns(
  program: string,
  args: readonly Word[],
  stdin: string | undefined,
  isKnown: boolean,
): readonly NestedRun[] {
  const known = lookUpProgram(program);
  const { commands, language } = known ?? {};
  if (known && (known.shell !== undefined || commands || language)) {
    const found = findRunsInArguments(known, args);
    if (commands?.panes) found.push(...findPaneCommands(program, args));
    if (language) found.push(...findRunsInCode(known, language, args, stdin));
    return found;
  }
  if (isKnown) return NONE;
  const server = args.findIndex(({ text }) => text === "mcp");
  const served = server < 0 ? NONE : findMcpServers(args.slice(server + 1));
  return served.length > 0 ? served : findNamedShell(program, args);
}

const NONE: readonly NestedRun[] = [];

/** The values of options of one kind: `-I x`, `-Ix`, `--rsh=x`. */
function listOptionValues(args: readonly Word[], table: OptionTable, kind: ValueKind): Word[] {
  const isKind = (given: ValueKind) => given === kind;
  const found: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    if (!word.text.startsWith("-")) continue;
    const value =
      (isValueInNextWord(table, word.text, isKind) ? args[at + 1] : undefined) ?? getAttachedValue(word, table, isKind);
    if (value) found.push(value);
  }
  return found;
}

function findRunsInArguments(program: Program, args: readonly Word[]): NestedRun[] {
  const table = getOptionTable(program);
  const texts: CommandArguments = program.commands ?? {};
  const found: NestedRun[] =
    program.shell === undefined ? [] : listOptionValues(args, table, "shell").map(({ text }) => ({ text }));
  for (const { text } of texts.keys ? listOptionValues(args, table, "settings") : []) {
    const [, key = "", value] = /^\s*([^\s=]+)\s*[\s=]\s*([^]*)$/.exec(text) ?? [];
    if (value !== undefined && texts.keys?.test(key)) found.push({ text: value });
  }
  const behind = (words: string | undefined) => {
    const at = words === undefined ? -1 : args.findIndex(({ text }) => words.split(" ").includes(text));
    return at < 0 ? [] : args.slice(at + 1);
  };
  const rest = behind(texts.rest);
  if (rest.length > 0) found.push(createNestedRun(rest));
  for (const [words, run] of [
    [behind(texts.foreign), joinWords],
    [behind(texts.typed), decodeTypedKeys],
  ] as const)
    if (words.length > 0) found.push({ text: run(words), foreign: true });
  if (texts.operands) for (const { text } of args) if (!text.startsWith("-")) found.push({ text });
  for (const { text } of args) {
    const [mark] = texts.marked?.exec(text) ?? [];
    const given = text.slice(mark?.length);
    // In a repository address "% " is a space within a word.
    if (mark === "ext::")
      found.push({ words: given.split(/(?<!%) /).map((word) => ({ text: word.replaceAll("% ", " ") })) });
    else if (mark) found.push({ text: given, foreign: true });
  }
  return found;
}

/** `… mcp add NAME -- rm x`: the command of a server that is started later. */
function findMcpServers(args: readonly Word[]): NestedRun[] {
  const [verb = "", ...texts] = args.map(({ text }) => text);
  if (verb === "add-json") return texts.flatMap(parseServerJson);
  if (verb !== "add") return [];
  const options = getOptionTable(lookUpProgram("mcp add"));
  const rest = args.slice(1 + skipOptions(texts, skipOptions(texts, 0, options) + 1, options));
  const dashes = rest.findIndex(({ text }) => text === "--");
  return rest.length > 0 ? [{ words: rest.filter((_, at) => at !== dashes) }] : [];
}

/** The command in `{"command": "rm", "args": ["x"]}`. */
function parseServerJson(text: string): NestedRun[] {
  try {
    const { command, args = [] } = JSON.parse(text) as { command?: unknown; args?: unknown };
    const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
    return typeof command === "string" ? [{ words: words.map((word) => ({ text: word })) }] : [];
  } catch {
    return [];
  }
}

/** The shell text in code that a program is given or reads. */
function findRunsInCode(
  program: Program,
  language: CodeLanguage,
  args: readonly Word[],
  stdin: string | undefined,
): NestedRun[] {
  const table = getOptionTable(program);
  const isCode = (kind: ValueKind) => kind === "code" || kind === "source";
  const given = listOptionValues(args, table, "code").map(({ text }) => text);
  const operands = args.filter(
    ({ text }, at) => !/^[-+]./.test(text) && !isValueInNextWord(table, args[at - 1]?.text ?? "", isCode),
  );
  const isFile = (text: string) => text === "-" || text === "/dev/stdin";
  const files = listOptionValues(args, table, "source");
  const reads =
    files.some(({ text }) => isFile(text)) ||
    (language.stdin && files.length + given.length === 0 && operands.every(({ text }) => isFile(text)));
  const texts = [...given, ...args.flatMap(({ text }) => (/^\+./.test(text) ? [text.slice(1)] : []))];
  if (language.operand && texts.length + files.length === 0 && operands[0]) texts.push(operands[0].text);
  if (language.operands) texts.push(...operands.map(({ text }) => text));
  if (reads && stdin !== undefined) texts.push(stdin);
  return texts.flatMap(language.find).map((text) => ({ text, foreign: true }));
}

/** Programs that run commands on another machine. */
const REMOTE =
  /^(?:docker-compose|podman-compose|crictl|ctr|lxc|incus|multipass|lima|limactl|colima|adb|vagrant|heroku|fly|flyctl|gcloud|aws|az|ansible|minikube|k3s|devcontainer|railway|nomad)$/;

/** An unknown program may run a shell that its words name: `mywrapper sh -c 'rm x'`. */
function findNamedShell(program: string, args: readonly Word[]): readonly NestedRun[] {
  for (let at = 1; at < args.length; at++)
    if (
      /^-\w*c$/.test((args[at] as Word).text) &&
      isShell(getProgramName((args[at - 1] as Word).text)) &&
      !getOperandFiles(program)
    )
      return [{ words: args.slice(at - 1), ...(REMOTE.test(program) && { remote: true }) }];
  return NONE;
}
