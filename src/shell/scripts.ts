import { hostname } from "node:os";
import { emit } from "./emit.ts";
import { commandEnd, readFindArguments } from "./programs/find-arguments.ts";
import { readGitArguments } from "./programs/git-arguments.ts";
import { isShell, nameOf, programOf, wrapperOf } from "./programs/index.ts";
import { behindOptions, optionsAt, optionTable } from "./programs/options.ts";
import { inner, type Scope } from "./scope.ts";
import type { Run } from "./started.ts";
import { runsOf } from "./texts.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";
import { gitCommand, textsInVariables } from "./variables.ts";
import { segments } from "./words.ts";
import type { Word } from "./word.ts";

/** What a program runs besides itself: its arguments, where its commands are to be read, and the text that it reads. */
type Runner = (args: readonly Word[], scope: Scope, stdin: string | undefined) => void;

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text);
const optionsOf = (program: string) => optionTable(programOf(program));
const join = (words: readonly Word[]) => textsOf(words).join(" ");
/** Reads a text as a shell of its own. Its parameters are known unless more come when it runs. */
const script = (text: string, scope: Scope, parameters: readonly Word[] = []) =>
  scope.reader.script(text, { ...scope, parameters: scope.parameters && parameters.map(segments) });

/** Reads what a command runs besides itself. */
export function runsIn(command: Unwrapped, scope: Scope, stdin: string | undefined): void {
  const [program, ...args] = command.words;
  if (!program || program.dynamic !== undefined) return;
  const name = nameOf(program.text);
  // In the same shell: what these assign and where they go stays.
  if (name === "eval") return scope.reader.script(documentIn(join(args)), scope);
  if (name === "source" || name === ".") {
    const file = args[0]?.text ?? "";
    return scope.reader.script((READ.test(file) ? stdin : scope.reader.printed.get(file)) ?? "", scope);
  }
  const runner = isShell(name) ? shell : Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  const runs = runsOf(name, args, stdin, runner !== undefined || wrapperOf(name) !== undefined);
  if (!runner && runs.length === 0) return;
  const { via, cwd, remote, more } = command;
  const within = inner(scope, {
    via: [...via, name],
    cwd,
    remote,
    parameters: more ? undefined : [],
    last: undefined,
    stdin,
  });
  runner?.(args, within, stdin);
  for (const run of runs) given(run, within);
}

/** Reads what a table says that a program runs. */
function given(run: Run, scope: Scope): void {
  const at = inner(scope, { stdin: undefined, ...(run.remote && { remote: true, cwd: undefined }) });
  const { problem } = scope.reader;
  if ("words" in run) command(run.words, at);
  else script(run.text, at);
  if (run.foreign) scope.reader.problem = problem;
}

/** Reads the commands that variables hold for what is run with them. */
export function runsInVariables(env: Readonly<Record<string, string>>, scope: Scope): void {
  for (const [name, text] of textsInVariables(env))
    given({ text, foreign: true }, inner(scope, { via: [...scope.via, name] }));
}

/** What a shell reads at these is its stdin. */
const READ = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** `$(cat <<'E' …)`: a text that is nothing but a here-document. */
const documentIn = (text: string): string =>
  /^\$\(\s*cat\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n([^]*\n)\t*\2\s*\)$/.exec(text)?.[3] ?? text;

/** Another command that begins inside the words of one. */
function command(words: readonly Word[], scope: Scope, stdin?: string): void {
  if (words.length === 0) return;
  for (const one of unwrap(words, scope)) {
    emit(one, words, [], {}, scope, stdin);
    runsIn(one, scope, stdin);
  }
}

/** A shell runs the text behind `-c`, or what it reads. */
const shell: Runner = (args, scope, stdin) => {
  const texts = textsOf(args);
  let at = 0;
  let given = false;
  for (; /^[-+]./.test(texts[at] ?? "") && texts[at] !== "--";) {
    const read = optionsAt(texts, at, optionsOf("bash"));
    const long = read.find(({ name }) => name === "--command");
    if (long) return script(long.value ?? "", scope);
    given ||= texts[at]?.startsWith("-") === true && read.some(({ name }) => name === "-c");
    at += read.at(-1)?.words ?? 1;
  }
  const reads = texts.slice(0, at).some((text) => /^-\w*s/.test(text));
  if (texts[at] === "--") at++;
  if (given) {
    const name = args[at + 1];
    if (name) scope.values.set("0", [segments(name)]);
    return script(documentIn(texts[at] ?? ""), scope, args.slice(at + 2));
  }
  const file = texts[at] ?? "-";
  const text = reads || READ.test(file) ? stdin : scope.reader.printed.get(file);
  if (text !== undefined)
    script(text, text === stdin ? { ...scope, stdin: undefined } : scope, args.slice(reads ? at : at + 1));
};

const FOUND = { text: "{}", dynamic: "{}" };
const FD_RUNS = new Set(["-x", "-X", "--exec", "--exec-batch"]);

/** What is found is only known when it runs. */
const asFound = (words: readonly Word[]): Word[] =>
  words.map((word) => (word.text.includes("{}") ? { text: word.text, dynamic: word.text } : word));

/** `find … -exec rm {} ;` */
const find: Runner = (args, scope) => {
  for (const { kind, at, values } of readFindArguments(textsOf(args)).steps)
    if (kind === "run") command(asFound(args.slice(at + 1, at + 1 + values.length)), scope);
};

/** `fd x -x rm` puts what is found at the end by itself. */
const fd: Runner = (args, scope) => {
  const texts = textsOf(args);
  for (let at = 0; at < args.length; at++) {
    if (!FD_RUNS.has(texts[at] ?? "")) continue;
    const end = commandEnd(texts, at + 1);
    const words = asFound(args.slice(at + 1, end));
    command(words.some(({ text }) => text.includes("{}")) ? words : [...words, FOUND], scope);
    at = end;
  }
};

/** Whether a host's name is this machine's. */
export function isHere(host: string): boolean {
  const name = host.replace(/^(?:ssh:\/\/)?(?:[^@]*@)?/, "").replace(/^\[|\](?::\d+)?$/g, "");
  return (
    /^(?:localhost|ip6-localhost|127(?:\.\d+){0,3}|::1|0(?:\.0){0,3}|\$\(hostname\)|`hostname`|\$\{?HOSTNAME\}?)$/i.test(
      name,
    ) || name === hostname()
  );
}

/** `ssh host words…`: joined, they are a script for the shell over there. */
const ssh: Runner = (args, scope, stdin) => {
  const texts = textsOf(args);
  const host = behindOptions(texts, 0, optionsOf("ssh"));
  const at = behindOptions(texts, host + 1, optionsOf("ssh"));
  const there = isHere(texts[host] ?? "") ? { ...scope, cwd: "~" } : { ...scope, remote: true, cwd: undefined };
  if (at < args.length) script(join(args.slice(at)), there);
  else if (stdin !== undefined) script(stdin, { ...there, stdin: undefined });
};

/** The command in a container: behind `exec NAME`, `run IMAGE`, or `--`. */
const container: Runner = (args, scope, stdin) => {
  const texts = textsOf(args);
  const verb = texts.findIndex((text) => text === "exec" || text === "run");
  if (verb < 0) return;
  const named = behindOptions(texts, verb + 1, optionsOf("docker run"));
  const at = texts[named + 1] === "--" ? named + 2 : named + 1;
  command(args.slice(at), { ...scope, remote: true, cwd: undefined }, stdin);
};

/** The same of kubectl, whose options may stand behind the name, up to a `--`. */
const pod: Runner = (args, scope, stdin) => {
  const texts = textsOf(args);
  const verb = texts.findIndex((text) => text === "exec" || text === "run" || text === "debug");
  const dashes = verb < 0 ? -1 : texts.indexOf("--", verb);
  if (dashes < 0) return container(args, scope, stdin);
  command(args.slice(dashes + 1), { ...scope, remote: true, cwd: undefined }, stdin);
};

/** The text behind an option. */
function behind(args: readonly Word[], ...names: string[]): string | undefined {
  const at = args.findIndex(({ text }) => names.includes(text));
  return at < 0 ? undefined : args[at + 1]?.text;
}

/** `su -c TEXT user`, or a shell that reads. */
const su: Runner = (args, scope, stdin) => {
  const at = args.findIndex(({ text }) => /^(?:-[A-Za-z]*c|--(?:session-)?command)$/.test(text));
  const text = at < 0 ? undefined : (args[at + 1]?.text ?? "");
  if (text !== undefined) script(text, scope);
  else if (stdin !== undefined) script(stdin, { ...scope, stdin: undefined });
};

/** `flock FILE rm x`, `flock FILE -c TEXT`. */
const flock: Runner = (args, scope) => {
  const text = behind(args, "-c", "--command");
  if (text !== undefined) return script(text, scope);
  const at = behindOptions(textsOf(args), 0, optionsOf("flock"));
  command(args.slice(at + 1), scope);
};

const runuser: Runner = (args, scope, stdin) => {
  const texts = textsOf(args);
  const at = behindOptions(texts, 0, optionsOf("runuser"));
  if (texts.includes("-u") || texts.some((text) => text.startsWith("--user"))) command(args.slice(at), scope, stdin);
  else su(args, scope, stdin);
};

const watch: Runner = (args, scope) =>
  script(join(args.slice(behindOptions(textsOf(args), 0, optionsOf("watch")))), scope);

/** `parallel rm {} ::: a b`: as if all of the values were given to one. */
const parallel: Runner = (args, scope, stdin) => {
  const texts = textsOf(args);
  const start = behindOptions(texts, 0, optionsOf("parallel"));
  const mark = texts.findIndex((text) => /^:{3,4}\+?$/.test(text));
  const values = (mark < 0 ? stdin : join(args.slice(mark + 1)))?.trim().replace(/\n/g, " ");
  const text = join(args.slice(start, mark < 0 ? undefined : mark));
  if (text !== "" || values)
    script(
      /\{\}/.test(text) && values ? text.split("{}").slice(0, MOST_HOLES).join(values) : `${text} ${values ?? ""}`,
      scope,
    );
};
const MOST_HOLES = 4;

/** `env -S 'rm -rf' x`: a text that is taken apart into words. */
const env: Runner = (args, scope) => {
  const texts = textsOf(args);
  const at = texts.findIndex((text) => /^(?:-[0iv]*S|--split-string)/.test(text));
  const text = texts[at]?.replace(/^(?:-\w*?S|--split-string=?)/, "") ?? "";
  if (at >= 0) script([text, ...texts.slice(at + 1)].join(" "), scope);
};

/** `sudo -s` and `sudo -i` without a command: a shell that reads. */
const sudo: Runner = (args, scope, stdin) => {
  if (stdin !== undefined && args.some(({ text }) => /^-\w*[is]$|^--(?:shell|login)$/.test(text)))
    script(stdin, { ...scope, stdin: undefined });
};

/** `git submodule foreach TEXT`, `git rebase -x TEXT`, `git bisect run words…`, and settings that are a command. */
const git: Runner = (args, scope) => {
  const texts = textsOf(args);
  const foreach = texts.indexOf("foreach");
  if (foreach > 0 && texts.includes("submodule"))
    script(join(args.slice(behindOptions(texts, foreach + 1, optionsOf("git submodule")))), scope);
  const takesText = texts.includes("rebase") || texts.includes("difftool");
  if (takesText) for (const [at, text] of texts.entries()) if (text === "-x") script(texts[at + 1] ?? "", scope);
  if (texts.includes("grep")) for (const text of texts) if (text.startsWith("-O")) script(text.slice(2), scope);
  const run = texts.indexOf("run");
  if (run > 0 && texts[run - 1] === "bisect") command(args.slice(run + 1), scope);
  const isConfig = readGitArguments(texts).verb === "config";
  for (const [at, text] of texts.entries()) {
    const before = /^(?:-c|--config)$/.test(texts[at - 1] ?? "") ? "-c" : "";
    const [, key = text, value = texts[at + 1] ?? ""] =
      /^(?:-c|--config=)([\w-]+\.[^=\s]+)=([^]*)$/.exec(before + text) ?? [];
    const found = isConfig || key !== text ? gitCommand(key, value) : undefined;
    if (found !== undefined) script(found, scope);
  }
};

const RUNNERS: Readonly<Record<string, Runner>> = {
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
  git,
  // They run later, wherever the shell is then.
  trap: ([text], scope) => text && script(text.text, { ...scope, cwd: undefined }),
  alias: (args, scope) =>
    args.forEach(({ text }) => script(text.slice(text.indexOf("=") + 1), { ...scope, cwd: undefined })),
};
