import type * as Os from "node:os";
import { emitCommand } from "./emit.ts";
import { findGitRuns, noteGitSetting } from "./git-runs.ts";
import { findCommandEnd, readFindArguments } from "./programs/find-arguments.ts";
import { isShell, lookUpProgram, getWrapper } from "./programs/index.ts";
import { skipOptions, readOptionsAt, getOptionTable } from "./programs/options.ts";
import { createInnerScope, type ShellScope } from "./scope.ts";
import type { NestedRun } from "./nested-run.ts";
import { findAliasRuns } from "./renamed-programs.ts";
import { findNestedRuns } from "./find-nested-runs.ts";
import { type UnwrappedCommand, unwrapCommand } from "./unwrap.ts";
import { listVariableCommands } from "./command-variables.ts";
import { toSegments } from "./words.ts";
import { readProgramWord } from "./programs/names.ts";
import type { Word } from "./word.ts";

/** Reads the commands that a program itself runs, from its arguments and stdin, in a scope. */
type NestedCommandReader = (args: readonly Word[], scope: ShellScope, stdin: string | undefined) => void;

const getTexts = (words: readonly Word[]): string[] => words.map(({ text }) => text);
const getProgramOptions = (program: string) => getOptionTable(lookUpProgram(program));
const joinTexts = (words: readonly Word[]) => getTexts(words).join(" ");
/** Reads a text as a separate shell would. Its parameters are known unless more arguments are added at run time. */
const readChildScript = (text: string, scope: ShellScope, parameters: readonly Word[] = []) =>
  scope.reader.readScript(text, { ...scope, parameters: scope.parameters && parameters.map(toSegments) });

/** Reads the commands that a command itself runs. */
export function readNestedCommands(command: UnwrappedCommand, scope: ShellScope, stdin: string | undefined): void {
  const [program, ...args] = command.words;
  const { name, pattern } = program ? readProgramWord(program) : {};
  if (name === undefined || pattern !== undefined) return;
  // Runs in the same shell: its assignments and `cd` last.
  if (name === "eval") return scope.reader.readScript(unwrapHereDocument(joinTexts(args)), scope);
  if (name === "source" || name === ".") {
    const file = args[0]?.text ?? "";
    return scope.reader.readScript((READ.test(file) ? stdin : scope.reader.substitutionOutputs.get(file)) ?? "", scope);
  }
  if (name === "git") noteGitSetting(args, scope);
  const runner = isShell(name) ? shell : Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  const runs = [
    ...findNestedRuns(name, args, stdin, runner !== undefined || getWrapper(name) !== undefined),
    ...(name === "git" ? findGitRuns(args, command.env, scope) : findAliasRuns(name, args, scope.reader)),
  ];
  if (!runner && runs.length === 0) return;
  const { via, cwd, remote, more } = command;
  const within = createInnerScope(scope, {
    via: [...via, name],
    cwd,
    remote,
    parameters: more ? undefined : [],
    last: undefined,
    stdin,
  });
  runner?.(args, within, stdin);
  for (const run of runs) readNestedRun(run, within);
}

/** Reads a nested run that a table describes. */
function readNestedRun(run: NestedRun, scope: ShellScope): void {
  const at = createInnerScope(scope, { stdin: undefined, ...(run.remote && { remote: true, cwd: undefined }) });
  const { problem } = scope.reader;
  if ("words" in run) readInnerCommand(run.words, at);
  else readChildScript(run.text, at);
  if (run.foreign) scope.reader.problem = problem;
}

/** Reads the commands in variables that are set for a command. */
export function readVariableCommands(env: Readonly<Record<string, string>>, scope: ShellScope): void {
  for (const [name, text] of listVariableCommands(env))
    readNestedRun({ text, foreign: true }, createInnerScope(scope, { via: [...scope.via, name] }));
}

/** Script paths that mean stdin. */
const READ = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** The text of a word that is only a here-document: `$(cat <<'E' …)`. */
const unwrapHereDocument = (text: string): string =>
  /^\$\(\s*cat\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n([^]*\n)\t*\2\s*\)$/.exec(text)?.[3] ?? text;

/** Reads a command that starts inside another command's words. */
function readInnerCommand(words: readonly Word[], scope: ShellScope, stdin?: string): void {
  if (words.length === 0) return;
  for (const one of unwrapCommand(words, scope)) {
    emitCommand(one, words, [], {}, scope, stdin);
    readNestedCommands(one, scope, stdin);
  }
}

/** A shell runs the text after `-c`, or what it reads. */
const shell: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  let at = 0;
  let given = false;
  for (; /^[-+]./.test(texts[at] ?? "") && texts[at] !== "--";) {
    const read = readOptionsAt(texts, at, getProgramOptions("bash"));
    const long = read.find(({ name }) => name === "--command");
    if (long) return readChildScript(long.value ?? "", scope);
    given ||= texts[at]?.startsWith("-") === true && read.some(({ name }) => name === "-c");
    at += read.at(-1)?.words ?? 1;
  }
  if (isUnexecuted(texts.slice(0, at))) return;
  const reads = texts.slice(0, at).some((text) => /^-\w*s/.test(text));
  if (texts[at] === "--") at++;
  if (given) {
    const name = args[at + 1];
    if (name) scope.values.set("0", [toSegments(name)]);
    return readChildScript(unwrapHereDocument(texts[at] ?? ""), scope, args.slice(at + 2));
  }
  const file = texts[at] ?? "-";
  const text = reads || READ.test(file) ? stdin : scope.reader.substitutionOutputs.get(file);
  if (text !== undefined)
    readChildScript(text, text === stdin ? { ...scope, stdin: undefined } : scope, args.slice(reads ? at : at + 1));
};

/**
 * Whether a shell only checks the syntax of what it reads: `bash -n`, unless `+n` comes behind it. An interactive one
 * runs it all the same.
 */
function isUnexecuted(options: readonly string[]): boolean {
  const table = getProgramOptions("bash");
  let isChecked = false;
  for (let at = 0; at < options.length; at++) {
    const read = readOptionsAt(options, at, table);
    const has = (letter: string) => read.some(({ name }) => name === `-${letter}`);
    if (has("i")) return false;
    // zsh also knows what takes it back: `-o exec`, `--exec`.
    if (read.some(({ name, value }) => name === "--exec" || (name === "-o" && value === "exec"))) return false;
    const isOption = read.some(({ name, value }) => name === "-o" && value === "noexec");
    if (has("n") || isOption) isChecked = options[at]?.startsWith("-") === true;
    at += (read.at(-1)?.words ?? 1) - 1;
  }
  return isChecked;
}

const FOUND = { text: "{}", dynamic: "{}" };
const FD_RUNS = new Set(["-x", "-X", "--exec", "--exec-batch"]);

/** The files found are only known at run time. */
const markPlaceholders = (words: readonly Word[]): Word[] =>
  words.map((word) => (word.text.includes("{}") ? { text: word.text, dynamic: word.text } : word));

/** `find … -exec rm {} ;` */
const find: NestedCommandReader = (args, scope) => {
  for (const { kind, at, values } of readFindArguments(getTexts(args)).steps)
    if (kind === "run") readInnerCommand(markPlaceholders(args.slice(at + 1, at + 1 + values.length)), scope);
};

/** `fd x -x rm` appends the files found by itself. */
const fd: NestedCommandReader = (args, scope) => {
  const texts = getTexts(args);
  for (let at = 0; at < args.length; at++) {
    if (!FD_RUNS.has(texts[at] ?? "")) continue;
    const end = findCommandEnd(texts, at + 1);
    const words = markPlaceholders(args.slice(at + 1, end));
    readInnerCommand(words.some(({ text }) => text.includes("{}")) ? words : [...words, FOUND], scope);
    at = end;
  }
};

/** Whether a host name means this machine. */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/^(?:ssh:\/\/)?(?:[^@]*@)?/, "").replace(/^\[|\](?::\d+)?$/g, "");
  return (
    /^(?:localhost|ip6-localhost|127(?:\.\d+){0,3}|::1|0(?:\.0){0,3}|\$\(hostname\)|`hostname`|\$\{?HOSTNAME\}?)$/i.test(
      name,
    ) || name === (require("node:os") as typeof Os).hostname()
  );
}

/** `ssh host words…`: the words are joined to a script for the remote shell. */
const ssh: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const host = skipOptions(texts, 0, getProgramOptions("ssh"));
  const at = skipOptions(texts, host + 1, getProgramOptions("ssh"));
  const there = isLocalHost(texts[host] ?? "") ? { ...scope, cwd: "~" } : { ...scope, remote: true, cwd: undefined };
  if (at < args.length) readChildScript(joinTexts(args.slice(at)), there);
  else if (stdin !== undefined) readChildScript(stdin, { ...there, stdin: undefined });
};

/** The command in a container, after `exec NAME`, `run IMAGE` or `--`. */
const container: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const verb = texts.findIndex((text) => text === "exec" || text === "run");
  if (verb < 0) return;
  const named = skipOptions(texts, verb + 1, getProgramOptions("docker run"));
  const at = texts[named + 1] === "--" ? named + 2 : named + 1;
  readInnerCommand(args.slice(at), { ...scope, remote: true, cwd: undefined }, stdin);
};

/** The same for kubectl, whose options may follow the name, up to a `--`. */
const pod: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const verb = texts.findIndex((text) => text === "exec" || text === "run" || text === "debug");
  const dashes = verb < 0 ? -1 : texts.indexOf("--", verb);
  if (dashes < 0) return container(args, scope, stdin);
  readInnerCommand(args.slice(dashes + 1), { ...scope, remote: true, cwd: undefined }, stdin);
};

/** The text after an option. */
function getTextAfterOption(args: readonly Word[], ...names: string[]): string | undefined {
  const at = args.findIndex(({ text }) => names.includes(text));
  return at < 0 ? undefined : args[at + 1]?.text;
}

/** `su -c TEXT user`, or a shell that reads stdin. */
const su: NestedCommandReader = (args, scope, stdin) => {
  const at = args.findIndex(({ text }) => /^(?:-[A-Za-z]*c|--(?:session-)?command)$/.test(text));
  const text = at < 0 ? undefined : (args[at + 1]?.text ?? "");
  if (text !== undefined) readChildScript(text, scope);
  else if (stdin !== undefined) readChildScript(stdin, { ...scope, stdin: undefined });
};

/** `flock FILE rm x`, `flock FILE -c TEXT`. */
const flock: NestedCommandReader = (args, scope) => {
  const text = getTextAfterOption(args, "-c", "--command");
  if (text !== undefined) return readChildScript(text, scope);
  const at = skipOptions(getTexts(args), 0, getProgramOptions("flock"));
  readInnerCommand(args.slice(at + 1), scope);
};

const runuser: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const at = skipOptions(texts, 0, getProgramOptions("runuser"));
  if (texts.includes("-u") || texts.some((text) => text.startsWith("--user")))
    readInnerCommand(args.slice(at), scope, stdin);
  else su(args, scope, stdin);
};

const watch: NestedCommandReader = (args, scope) =>
  readChildScript(joinTexts(args.slice(skipOptions(getTexts(args), 0, getProgramOptions("watch")))), scope);

/** `parallel rm {} ::: a b`, read as if one run got all values. */
const parallel: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const start = skipOptions(texts, 0, getProgramOptions("parallel"));
  const mark = texts.findIndex((text) => /^:{3,4}\+?$/.test(text));
  const values = (mark < 0 ? stdin : joinTexts(args.slice(mark + 1)))?.trim().replace(/\n/g, " ");
  const text = joinTexts(args.slice(start, mark < 0 ? undefined : mark));
  if (text !== "" || values)
    readChildScript(
      /\{\}/.test(text) && values ? text.split("{}").slice(0, MOST_HOLES).join(values) : `${text} ${values ?? ""}`,
      scope,
    );
};
const MOST_HOLES = 4;

/** `env -S 'rm -rf' x`: a text that is split into words. */
const env: NestedCommandReader = (args, scope) => {
  const texts = getTexts(args);
  const at = texts.findIndex((text) => /^(?:-[0iv]*S|--split-string)/.test(text));
  const text = texts[at]?.replace(/^(?:-\w*?S|--split-string=?)/, "") ?? "";
  if (at >= 0) readChildScript([text, ...texts.slice(at + 1)].join(" "), scope);
};

/** `sudo -s` and `sudo -i` without a command: a shell that reads stdin. */
const sudo: NestedCommandReader = (args, scope, stdin) => {
  if (stdin !== undefined && args.some(({ text }) => /^-\w*[is]$|^--(?:shell|login)$/.test(text)))
    readChildScript(stdin, { ...scope, stdin: undefined });
};

/** Options of PowerShell's that a text or a value follows, by how they begin. */
const POWERSHELL_OPTION =
  /^[-/\u2013\u2014](?:(c(?:o(?:m\w*)?)?)|(e(?:c|n\w*)?)|(f\w*)|(?:ex\w*|ep|w\w*|in\w*|if|o\w*|v\w*|config\w*|cus\w*|se\w*|wd|ps\w*))$/i;

/** `powershell -Command rm x`, `pwsh -EncodedCommand …`, `… | powershell -` */
const powershell: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  const read = (text: string) => scope.reader.readForeign("powershell", text, { ...scope, parameters: [] });
  const isStdin = (text: string | undefined) => text === undefined || text === "-";
  let at = 0;
  for (; /^[-/\u2013\u2014][A-Za-z]/.test(texts[at] ?? ""); at++) {
    const [found, command, encoded, file] = POWERSHELL_OPTION.exec(texts[at] as string) ?? [];
    if (found === undefined) continue;
    const rest = texts.slice(at + 1);
    if (command !== undefined) return isStdin(rest[0]) ? read(stdin ?? "") : read(rest.join(" "));
    if (encoded !== undefined && rest[0] !== undefined) return read(decodeWideBase64(rest[0]));
    if (file !== undefined)
      return isStdin(rest[0]) ? read(stdin ?? "") : readInnerCommand(args.slice(at + 1), scope, stdin);
    at++;
  }
  // Without an option, it is a command for Windows PowerShell, and a file for the newer one.
  if (isStdin(texts[at])) read(stdin ?? "");
  else read(texts.slice(at).join(" "));
};

/** The text of `-EncodedCommand`: base64 of UTF-16. */
function decodeWideBase64(text: string): string {
  try {
    return Buffer.from(atob(text.replace(/\s+/g, "")), "latin1").toString("utf16le");
  } catch {
    return "";
  }
}

/** A word as cmd.exe would have it: what a variable of the outer shell holds, its own of that name does. */
const toCmdText = ({ text, dynamic }: Word): string =>
  dynamic === undefined || !/\$\w/.test(dynamic)
    ? text
    : dynamic.replace(
        /\\([^])|\$(\w+)/g,
        (_, quoted: string | undefined, name = "") => quoted ?? `%${name === "HOME" ? "USERPROFILE" : name}%`,
      );

/** The switch of cmd.exe that a command follows, with others before it: `/c`, `/q/c`, `//c`. */
const CMD_RUN = /^(?:\/{1,2}[adefqsuv](?::\w*)?)*\/{1,2}[ckr]/i;

/** `cmd /c del x`, and `cmd //c …` in Git Bash. */
const cmd: NestedCommandReader = (args, scope, stdin) => {
  const texts = args.map(toCmdText);
  const at = texts.findIndex((text) => CMD_RUN.test(text));
  if (at < 0) {
    if (stdin !== undefined && texts.every((text) => text.startsWith("/")))
      scope.reader.readForeign("cmd", stdin, scope);
    return;
  }
  const glued = (texts[at] as string).replace(CMD_RUN, "");
  const rest = texts.slice(at + 1);
  const words =
    rest.length === 1 ? rest : rest.map((text) => (/\s/.test(text) && !text.includes('"') ? `"${text}"` : text));
  scope.reader.readForeign("cmd", [...(glued === "" ? [] : [glued]), ...words].join(" "), scope);
};

/** The text behind a switch of a program of Windows, `/tr TEXT`. */
const getSwitchText = (args: readonly Word[], name: string): string | undefined =>
  args[args.findIndex(({ text }) => text.toLowerCase() === name) + 1 || args.length]?.text;

/** `wmic process call create TEXT` */
const wmic: NestedCommandReader = (args, scope) => {
  const at = args.findIndex(({ text }) => text.toLowerCase() === "create");
  const [text] = at > 0 ? getTexts(args.slice(at + 1)) : [];
  if (text !== undefined) scope.reader.readForeign("cmd", text.replace(/^"|"$/g, ""), scope);
};

/** `schtasks /create /tr TEXT` runs it later. */
const schtasks: NestedCommandReader = (args, scope) => {
  const text = getSwitchText(args, "/tr");
  if (text !== undefined) scope.reader.readForeign("cmd", text, { ...scope, cwd: undefined });
};

/** `forfiles /p FOLDER /m *.x /c "cmd /c del @path"` */
const forfiles: NestedCommandReader = (args, scope) => {
  const text = getSwitchText(args, "/c");
  if (text === undefined) return;
  const path = `${getSwitchText(args, "/p") ?? "."}/${getSwitchText(args, "/m") ?? "*"}`;
  scope.reader.readForeign(
    "cmd",
    text.replace(/@(?:path|relpath|file|fname)\b/gi, () => path),
    scope,
  );
};

/** `runas /user:x TEXT`, `conhost TEXT` */
const runText: NestedCommandReader = (args, scope) => {
  const at = args.findIndex(({ text }) => !text.startsWith("/"));
  if (at >= 0) scope.reader.readForeign("cmd", joinTexts(args.slice(at)), scope);
};

/** `wsl -d Debian rm x`, `wsl -e bash -c …`: the words are a command of the distribution's. */
const wsl: NestedCommandReader = (args, scope, stdin) => {
  const texts = getTexts(args);
  let at = 0;
  let isExecuted = false;
  for (; texts[at]?.startsWith("-"); at++) {
    if (/^(?:--|-e|--exec)$/.test(texts[at] as string)) {
      isExecuted = texts[at] !== "--";
      at++;
      break;
    }
    if (/^(?:-d|--distribution|-u|--user|--cd|--distribution-id|--shell-type)$/.test(texts[at] as string)) at++;
    else if (!/^(?:--system|~)$/.test(texts[at] as string)) return;
  }
  const words = args.slice(texts[at] === "~" ? at + 1 : at);
  if (words.length > 0) {
    readInnerCommand(words, scope, stdin);
    // Its shell expands what the line has in plain.
    if (!isExecuted && words.some(({ text, dynamic }) => dynamic === undefined && /[~$*]/.test(text)))
      readChildScript(joinTexts(words), scope);
  } else if (stdin !== undefined) readChildScript(stdin, { ...scope, stdin: undefined });
};

const RUNNERS: Readonly<Record<string, NestedCommandReader>> = {
  find,
  fd,
  fdfind: fd,
  ssh,
  docker: container,
  podman: container,
  nerdctl: container,
  kubectl: pod,
  oc: pod,
  k: pod,
  su,
  sg: su,
  script: su,
  at: su,
  batch: su,
  flock,
  runuser,
  watch,
  parallel,
  env,
  sudo,
  powershell,
  pwsh: powershell,
  cmd,
  wmic,
  schtasks,
  forfiles,
  runas: runText,
  conhost: runText,
  wsl,
  // Traps run later, in whatever directory the shell is in by then.
  trap: ([text], scope) => text && readChildScript(text.text, { ...scope, cwd: undefined }),
  alias: (args, scope) => {
    for (const { text } of args) readChildScript(text.slice(text.indexOf("=") + 1), { ...scope, cwd: undefined });
    for (const { text } of args) {
      const at = text.indexOf("=");
      if (at > 0) scope.reader.aliases.set(text.slice(0, at), text.slice(at + 1));
    }
  },
};
