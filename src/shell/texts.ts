import { attached } from "./operands.ts";
import { filesUsedBy, isShell, languageOf, nameOf, programOf } from "./programs/index.ts";
import { behindOptions, optionTable, type OptionTable, takesNext, type ValueKind } from "./programs/options.ts";
import type { Commands, Language, Program } from "./programs/program.ts";
import { asCommand, joinWords, type Run } from "./started.ts";
import { inPanes, typed } from "./terminals.ts";
import type { Word } from "./word.ts";

/**
 * The commands in a program's arguments, and in what it reads.
 * @param isKnown whether it is one of which more is known than stands here
 */
export function runsOf(
  program: string,
  args: readonly Word[],
  stdin: string | undefined,
  isKnown: boolean,
): readonly Run[] {
  const known = languageOf(program);
  const { commands, language } = known ?? {};
  if (known && (known.shell !== undefined || commands || language)) {
    const found = inArguments(known, args);
    if (commands?.panes) found.push(...inPanes(program, args));
    if (language) found.push(...inCode(known, language, args, stdin));
    return found;
  }
  if (isKnown) return NONE;
  const server = args.findIndex(({ text }) => text === "mcp");
  const served = server < 0 ? NONE : serversIn(args.slice(server + 1));
  return served.length > 0 ? served : shells(program, args);
}

const NONE: readonly Run[] = [];

/** The values of options of a kind: `-I x`, `-Ix`, `--rsh=x`. */
function valuesOf(args: readonly Word[], table: OptionTable, kind: ValueKind): Word[] {
  const isKind = (given: ValueKind) => given === kind;
  const found: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    if (!word.text.startsWith("-")) continue;
    const value = (takesNext(table, word.text, isKind) ? args[at + 1] : undefined) ?? attached(word, table, isKind);
    if (value) found.push(value);
  }
  return found;
}

function inArguments(program: Program, args: readonly Word[]): Run[] {
  const table = optionTable(program);
  const texts: Commands = program.commands ?? {};
  const found: Run[] = program.shell === undefined ? [] : valuesOf(args, table, "shell").map(({ text }) => ({ text }));
  for (const { text } of texts.keys ? valuesOf(args, table, "settings") : []) {
    const [, key = "", value] = /^\s*([^\s=]+)\s*[\s=]\s*([^]*)$/.exec(text) ?? [];
    if (value !== undefined && texts.keys?.test(key)) found.push({ text: value });
  }
  const behind = (words: string | undefined) => {
    const at = words === undefined ? -1 : args.findIndex(({ text }) => words.split(" ").includes(text));
    return at < 0 ? [] : args.slice(at + 1);
  };
  const rest = behind(texts.rest);
  if (rest.length > 0) found.push(asCommand(rest));
  for (const [words, run] of [
    [behind(texts.foreign), joinWords],
    [behind(texts.typed), typed],
  ] as const)
    if (words.length > 0) found.push({ text: run(words), foreign: true });
  if (texts.operands) for (const { text } of args) if (!text.startsWith("-")) found.push({ text });
  for (const { text } of args) {
    const [mark] = texts.marked?.exec(text) ?? [];
    const given = text.slice(mark?.length);
    // In the address of a repository "% " is a space within a word.
    if (mark === "ext::")
      found.push({ words: given.split(/(?<!%) /).map((word) => ({ text: word.replaceAll("% ", " ") })) });
    else if (mark) found.push({ text: given, foreign: true });
  }
  return found;
}

/** `… mcp add NAME -- rm x`: a server that is started later. */
function serversIn(args: readonly Word[]): Run[] {
  const [verb = "", ...texts] = args.map(({ text }) => text);
  if (verb === "add-json") return texts.flatMap(inJson);
  if (verb !== "add") return [];
  const options = optionTable(programOf("mcp add"));
  const rest = args.slice(1 + behindOptions(texts, behindOptions(texts, 0, options) + 1, options));
  const dashes = rest.findIndex(({ text }) => text === "--");
  return rest.length > 0 ? [{ words: rest.filter((_, at) => at !== dashes) }] : [];
}

/** `{"command": "rm", "args": ["x"]}` */
function inJson(text: string): Run[] {
  try {
    const { command, args = [] } = JSON.parse(text) as { command?: unknown; args?: unknown };
    const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
    return typeof command === "string" ? [{ words: words.map((word) => ({ text: word })) }] : [];
  } catch {
    return [];
  }
}

/** The shell texts in code that a program is given, or reads. */
function inCode(program: Program, language: Language, args: readonly Word[], stdin: string | undefined): Run[] {
  const table = optionTable(program);
  const isCode = (kind: ValueKind) => kind === "code" || kind === "source";
  const given = valuesOf(args, table, "code").map(({ text }) => text);
  const operands = args.filter(
    ({ text }, at) => !/^[-+]./.test(text) && !takesNext(table, args[at - 1]?.text ?? "", isCode),
  );
  const isFile = (text: string) => text === "-" || text === "/dev/stdin";
  const files = valuesOf(args, table, "source");
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

/** A program that isn't known may run a shell that its words name: `mywrapper sh -c 'rm x'`. */
function shells(program: string, args: readonly Word[]): readonly Run[] {
  for (let at = 1; at < args.length; at++)
    if (
      /^-\w*c$/.test((args[at] as Word).text) &&
      isShell(nameOf((args[at - 1] as Word).text)) &&
      !filesUsedBy(program)
    )
      return [{ words: args.slice(at - 1), ...(REMOTE.test(program) && { remote: true }) }];
  return NONE;
}
