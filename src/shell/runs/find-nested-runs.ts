import { HOME_PLACEHOLDER } from "../code/tokens.ts";
import type { CodeInput } from "../code/expression.ts";
import { listOptionValues } from "../files/operands.ts";
import { getOperandFiles, isShell, lookUpProgram } from "../programs/index.ts";
import { getProgramName } from "../programs/names.ts";
import {
  skipOptions,
  getOptionTable,
  type OptionTable,
  isValueInNextWord,
  mayTakeNextWord,
  readLastOption,
  readOptionsAt,
} from "../programs/options.ts";
import type { CommandArguments, CodeLanguage, Program, Wrapper } from "../programs/program.ts";
import { isLoopback } from "./local-host.ts";
import { readMount, toLocalWord } from "../files/mounts.ts";
import { createNestedRun, type NestedRun } from "./nested-run.ts";
import { findPaneCommands, decodeTypedKeys } from "./terminals.ts";
import { findAdditionalCommands, getWrapperOptions } from "./unwrap.ts";
import { getTexts, joinTexts, type Word } from "../words/word.ts";

/**
 * Finds the commands in a program's arguments and stdin that the program runs.
 * @param options `isKnown` is true if another table describes the program; its arguments then aren't searched for
 * shells and MCP servers
 */
export function findNestedRuns(
  program: string,
  args: readonly Word[],
  stdin: string | undefined,
  { isKnown }: { isKnown: boolean },
): readonly NestedRun[] {
  const knownProgram = lookUpProgram(program);
  if (!knownProgram) return isKnown ? [] : findUnknownRuns(program, args);
  const { commands, language, runsPackages } = knownProgram;
  const runs = findRunsInArguments(knownProgram, args);
  // Drop duplicates: an option can be listed for both the program and its subcommand.
  runs.push(...findRunsOfSubcommand(program, knownProgram, args).filter((run) => !isAlreadyListed(run, runs)));
  if (commands?.opensTerminal) runs.push(...findPaneCommands(program, args));
  if (runsPackages) runs.push(...findPackageRuns(knownProgram, args).filter((run) => !isAlreadyListed(run, runs)));
  if (language) runs.push(...findRunsInCode(knownProgram, language, args, stdin));
  if (runs.length === 0 && stdin !== undefined && readsScript(knownProgram, args)) runs.push({ text: stdin });
  if (runs.length === 0 && !isKnown && !language) runs.push(...findUnknownRuns(program, args));
  const isRemote = commands?.remote && runs.length > 0 && !args.some(({ text }) => isLoopback(text));
  return isRemote ? runs.map((run) => (run.mountedRun ? run : { ...run, remote: true })) : runs;
}

const isAlreadyListed = (run: NestedRun, runs: readonly NestedRun[]): boolean =>
  "text" in run && runs.some((otherRun) => "text" in otherRun && otherRun.text === run.text);

/** Whether a program runs its stdin as a script if its arguments don't contain a command. */
function readsScript(program: Program, args: readonly Word[]): boolean {
  const { stdin } = program.commands ?? {};
  if (stdin === undefined || stdin === true) return stdin === true;
  const table = getOptionTable(program);
  return args.some(
    ({ text }) => text.startsWith("-") && readOptionsAt([text], 0, table).some(({ name }) => stdin.includes(name)),
  );
}

/**
 * Finds commands in the arguments of a subcommand that has its own row in the program table: `git rebase -x SCRIPT`.
 */
function findRunsOfSubcommand(name: string, program: Program, args: readonly Word[]): NestedRun[] {
  const texts = getTexts(args);
  const at = skipOptions(texts, 0, getOptionTable(program));
  const subcommand = texts[at] === undefined ? undefined : lookUpProgram(`${name} ${texts[at]}`);
  if (!subcommand) return [];
  const subcommandArguments = args.slice(at + 1);
  const code = subcommand.language
    ? findRunsInCode(subcommand, subcommand.language, subcommandArguments, undefined)
    : [];
  return [...findRunsInArguments(subcommand, subcommandArguments), ...code];
}

function findRunsInArguments(program: Program, args: readonly Word[]): NestedRun[] {
  const table = getOptionTable(program);
  const texts: CommandArguments = program.commands ?? {};
  const runs: NestedRun[] =
    program.shell === undefined ? [] : listOptionValues(args, table, "shell").map(({ text }) => ({ text }));
  for (const wrapper of texts.runs ?? []) runs.push(...findAdditionalRuns(program, wrapper, args));
  for (const { text } of texts.scriptSettings ? listOptionValues(args, table, "settings") : []) {
    const [, key = "", value] = /^\s*([^\s=]+)\s*[\s=]\s*([^]*)$/.exec(text) ?? [];
    if (value !== undefined && texts.scriptSettings?.test(key)) runs.push({ text: value });
  }
  const listWordsAfter = (words: string | undefined) => {
    const at = words === undefined ? -1 : args.findIndex(({ text }) => words.split(" ").includes(text));
    return at < 0 ? [] : args.slice(at + 1);
  };
  const commandWords = listWordsAfter(texts.commandMarkers);
  if (commandWords.length > 0) runs.push(createNestedRun(commandWords));
  for (const [words, run] of [
    [listWordsAfter(texts.foreignMarkers), joinTexts],
    [listWordsAfter(texts.typedTextMarkers), decodeTypedKeys],
  ] as const)
    if (words.length > 0) runs.push({ text: run(words), isForeign: true });
  if (texts.hasScriptOperands) for (const { text } of args) if (!text.startsWith("-")) runs.push({ text });
  if (texts.commandPrefix) runs.push(...findPrefixedRuns(texts.commandPrefix, args));
  return runs;
}

/** Finds commands that follow a prefix within a word: `ext::rm x`. */
function findPrefixedRuns(prefixPattern: RegExp, args: readonly Word[]): NestedRun[] {
  return args.flatMap(({ text }): NestedRun[] => {
    const [prefix] = prefixPattern.exec(text) ?? [];
    if (!prefix) return [];
    const commandText = text.slice(prefix.length);
    // In a repository address, "% " stands for a space within a word.
    return prefix === "ext::"
      ? [{ words: commandText.split(/(?<!%) /).map((word) => ({ text: word.replaceAll("% ", " ") })) }]
      : [{ text: commandText, isForeign: true }];
  });
}

/** Finds the commands described by an entry in `runs`. */
function findAdditionalRuns(program: Program, wrapper: Wrapper, args: readonly Word[]): NestedRun[] {
  const table = getWrapperOptions(program, wrapper);
  const entry =
    wrapper.entryPointOptions === undefined ? undefined : findEntryPoint(wrapper.entryPointOptions, table, args);
  return findAdditionalCommands(getTexts(args), program, wrapper).flatMap(({ at, guessed, remote }): NestedRun[] => {
    const head = entry ?? wrapper.program?.split(" ").map((text) => ({ text })) ?? [];
    const words = [...head, ...args.slice(at)];
    const of = { ...(remote && { remote: true as const }), ...(guessed && { guessed: true as const }) };
    if (wrapper.isJoined) return [{ text: joinTexts(words), ...of }];
    return [{ words, readsStdin: true, ...of }, ...translateMountedRuns(words, args.slice(0, at), table)];
  });
}

/** If a container command uses a mounted directory, translates its paths to local ones. */
function translateMountedRuns(words: readonly Word[], options: readonly Word[], table: OptionTable): NestedRun[] {
  const mounts = listOptionValues(options, table, "mounts").flatMap(readMount);
  if (mounts.length === 0) return [];
  const [folder] = listOptionValues(options, table, "folder").map((word) => toLocalWord(word, mounts));
  const hostWords = words.map((word) => toLocalWord(word, mounts));
  const isShared = folder?.isShared === true || hostWords.some(({ isShared }) => isShared);
  const cwd = folder?.isShared ? folder.word : undefined;
  return isShared
    ? [{ words: hostWords.map(({ word }) => word), mountedRun: { folder: cwd }, readsStdin: true, guessed: true }]
    : [];
}

/** Returns the value of the option that overrides the container's command. */
function findEntryPoint(entry: string, table: OptionTable, args: readonly Word[]): Word[] | undefined {
  for (const [at, { text }] of args.entries()) {
    const option = text.startsWith("-") ? readLastOption(text, args[at + 1]?.text, table) : undefined;
    if (option?.value && entry.split(" ").includes(option.name)) return [{ text: option.value }];
  }
  return undefined;
}

/** Words between a package runner and the program to run. */
const PACKAGE_VERB = /^(?:exec|x|dlx|run)$/;
/** The `npm:` prefix and the version in a package spec such as `npm:prisma@6`. */
const PACKAGE_PREFIX_AND_VERSION = /^npm:|(?<=.)@[^@]*$/g;

/**
 * Finds the program that a package runner starts: `npx concurrently 'rm x'`. Returns it only if it runs other programs
 * or if its name is partly unknown. For any other package, the arguments could mean anything.
 */
function findPackageRuns(program: Program, args: readonly Word[]): NestedRun[] {
  const table = getOptionTable(program);
  const texts = getTexts(args);
  let at = skipOptions(texts, 0, table);
  if (PACKAGE_VERB.test(texts[at] ?? "")) at = skipOptions(texts, at + 1, table);
  const word = args[at];
  if (word === undefined) return [];
  const words = args.slice(at + 1);
  if (word.dynamic !== undefined) return [{ words: [word, ...words], guessed: true }];
  const name = getProgramName(word.text).replace(PACKAGE_PREFIX_AND_VERSION, "");
  const { wrapper, commands, shell, language } = lookUpProgram(name) ?? {};
  return (wrapper ?? commands ?? shell ?? language) === undefined
    ? []
    : [{ words: [{ text: name }, ...words], guessed: true }];
}

/** Finds the command that will later start an MCP server: `… mcp add NAME -- rm x`. */
function findMcpServers(args: readonly Word[]): NestedRun[] {
  const [verb = "", ...texts] = getTexts(args);
  if (verb === "add-json") return texts.flatMap(parseServerJson);
  if (verb !== "add") return [];
  const options = getOptionTable(lookUpProgram("mcp add"));
  const serverArguments = args.slice(1 + skipOptions(texts, skipOptions(texts, 0, options) + 1, options));
  const dashes = serverArguments.findIndex(({ text }) => text === "--");
  return serverArguments.length > 0 ? [{ words: serverArguments.filter((_, at) => at !== dashes) }] : [];
}

/** Parses the command from an MCP server's JSON: `{"command": "rm", "args": ["x"]}`. */
function parseServerJson(text: string): NestedRun[] {
  try {
    const { command, args = [] } = JSON.parse(text) as { command?: unknown; args?: unknown };
    const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
    return typeof command === "string" ? [{ words: words.map((word) => ({ text: word })) }] : [];
  } catch {
    return [];
  }
}

/** Finds shell commands in code that is passed as an argument or on stdin. */
function findRunsInCode(
  program: Program,
  language: CodeLanguage,
  args: readonly Word[],
  stdin: string | undefined,
): NestedRun[] {
  const table = getOptionTable(program);
  const codeTexts = listOptionValues(args, table, "code").map(({ text }) => text);
  const operands = args.filter(
    ({ text }, at) => !/^[-+]./.test(text) && !isValueInNextWord(table, args[at - 1]?.text ?? "", mayTakeNextWord),
  );
  const isFile = (text: string) => text === "-" || text === "/dev/stdin";
  const files = listOptionValues(args, table, "source");
  const readsStdin =
    files.some(({ text }) => isFile(text)) ||
    (language.stdin &&
      files.length + codeTexts.length === 0 &&
      (language.hasCodeOperands === true || operands.every(({ text }) => isFile(text))));
  const texts = [...codeTexts, ...args.flatMap(({ text }) => (/^\+./.test(text) ? [text.slice(1)] : []))];
  if (language.hasCodeOperand && texts.length + files.length === 0 && operands[0]) texts.push(operands[0].text);
  if (language.hasCodeOperands) texts.push(...getTexts(operands));
  if (readsStdin && stdin !== undefined) texts.push(stdin);
  return texts.flatMap((text) =>
    language.find(text, readCodeInput(text, args, stdin)).map((run) => ({ text: run, isForeign: true as const })),
  );
}

/** Returns what the code can read: the arguments after it, and stdin. */
function readCodeInput(code: string, args: readonly Word[], stdin: string | undefined): CodeInput {
  const at = args.findIndex(({ text }) => text.endsWith(code));
  const start = at < 0 ? args.findIndex(({ text }) => text === "-") : at;
  const codeArguments = start < 0 ? [] : args.slice(start + (args[start + 1]?.text === "--" ? 2 : 1));
  const isInput = stdin !== undefined && stdin !== code;
  return {
    args: codeArguments.map(toCodeArgument),
    options: getTexts(args),
    ...(isInput && { stdin: stdin.trimEnd() }),
  };
}

/** Returns a word as the code receives it, with a placeholder for the home directory. */
const toCodeArgument = ({ text, dynamic }: Word): string =>
  dynamic === undefined ? text : text.replace(/^~(?=\/|$)|\$HOME\b|\$\{HOME\}/g, HOME_PLACEHOLDER);

/** Words that often precede a command in the arguments of an unknown program. */
const RUN_KEYWORD = /^(?:--|run|exec)$/;

/**
 * Searches the arguments of an unknown program for a shell (`mywrapper sh -c 'rm x'`) or for a command after `--`,
 * `run` or `exec`.
 */
function findUnknownRuns(program: string, args: readonly Word[]): readonly NestedRun[] {
  const server = args.findIndex(({ text }) => text === "mcp");
  const serverRuns = server < 0 ? [] : findMcpServers(args.slice(server + 1));
  if (serverRuns.length > 0) return serverRuns;
  if (getOperandFiles(program)) return [];
  for (let at = 1; at < args.length; at++)
    if (/^-\w*c$/.test((args[at] as Word).text) && isShell(getProgramName((args[at - 1] as Word).text)))
      return [{ words: args.slice(at - 1) }];
  if (lookUpProgram(program)) return [];
  const at = args.findIndex(({ text }) => RUN_KEYWORD.test(text)) + 1;
  return at > 0 && args[at] && !args[at].text.startsWith("-") ? [{ words: args.slice(at), guessed: true }] : [];
}
