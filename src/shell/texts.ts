import { attached, takesNext } from "./operands.ts";
import { behindOptions } from "./options.ts";
import { type Code, codeOf } from "./code.ts";
import { isShell, nameOf } from "./programs.ts";
import { inPanes, typed } from "./terminals.ts";
import { useOf } from "./uses.ts";
import type { Word } from "./words.ts";

/** What a program runs of what it is given: a text for a shell, or words that are a command. */
export type Run = ({ text: string } | { words: readonly Word[] }) & {
  /** The text was taken out of another language: what a shell says against it means nothing. */
  foreign?: true;
  remote?: true;
};

/** Where a program is given commands, besides words of its own. */
interface Texts {
  /** Options whose value is a text for a shell. */
  options?: string;
  /** Options whose value is `key=text`, and the keys that are followed by one. */
  keys?: readonly [options: string, keys: RegExp];
  /** Words behind which all others are a command. */
  rest?: string;
  /** The same, but they are joined to a text of another shell. */
  foreign?: string;
  /** A word behind which all others are typed into a terminal. */
  typed?: string;
  /** It starts what its operands say in a terminal of its own. */
  panes?: true;
  /** Each operand is a text. */
  operands?: true;
  /** What stands before a command in the same word. */
  marked?: RegExp;
}

const SSH_KEYS = /^(?:proxycommand|localcommand|knownhostscommand)$/i;
const TERMINAL: Texts = { rest: "-e -x --" };

const given: readonly [string, Texts][] = [
  [
    "tar bsdtar gtar",
    {
      options: "-I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command",
      keys: ["--checkpoint-action", /^exec$/],
    },
  ],
  ["rsync", { options: "-e --rsh" }],
  ["ssh", { keys: ["-o", SSH_KEYS] }],
  ["scp sftp", { options: "-S", keys: ["-o", SSH_KEYS] }],
  ["apt apt-get", { keys: ["-o --option", /-invoke(?:::)?$/i] }],
  ["split", { options: "--filter" }],
  ["sort", { options: "--compress-program" }],
  ["zip", { options: "-TT --unzip-command" }],
  ["man", { options: "-P --pager" }],
  [
    "git",
    {
      options:
        "--upload-pack --receive-pack --exec --extcmd --open-files-in-pager --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter",
      marked: /^ext::/,
    },
  ],
  ["nix-shell", { options: "--run --command" }],
  ["nix guix", { rest: "-c --command --" }],
  ["npx npm bunx yarn pnpm", { options: "-c --call" }],
  ["nodemon", { options: "-x --exec" }],
  ["hyperfine", { options: "-p -s -c --prepare --setup --cleanup --conclude", operands: true }],
  ["concurrently run-p run-s", { operands: true }],
  ["nc ncat netcat", { options: "-e -c --exec --sh-exec" }],
  ["socat", { marked: /^(?:exec|system|shell):/i }],
  ["xterm urxvt konsole alacritty foot gnome-terminal xfce4-terminal terminator launchctl wezterm", TERMINAL],
  ["pwsh powershell", { foreign: "-c -command -Command" }],
  ["cmd", { foreign: "/c /C /k /K" }],
  ["tmux byobu", { typed: "send-keys send", panes: true }],
  ["screen", { typed: "stuff", panes: true }],
  ["zellij", { typed: "write-chars", rest: "--" }],
  ["kitty kitten wezterm", { typed: "send-text" }],
  ["xdotool ydotool", { typed: "type" }],
];

let table: ReadonlyMap<string, Texts> | undefined;

function textsOf(program: string): Texts | undefined {
  table ??= new Map(given.flatMap(([names, texts]) => names.split(" ").map((name) => [name, texts])));
  return table.get(program);
}

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
  const texts = textsOf(program);
  const code = codeOf(program);
  if (texts || code) {
    const found = texts ? inArguments(texts, args) : [];
    if (texts?.panes) found.push(...inPanes(program, args));
    if (code) found.push(...inCode(code, args, stdin));
    return found;
  }
  if (isKnown) return NONE;
  const server = args.findIndex(({ text }) => text === "mcp");
  const served = server < 0 ? NONE : serversIn(args.slice(server + 1));
  return served.length > 0 ? served : shells(program, args);
}

const NONE: readonly Run[] = [];

/** The values of options: `-I x`, `-Ix`, `--rsh=x`. */
function valuesOf(args: readonly Word[], options: string): Word[] {
  const found: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    if (options === "" || !word.text.startsWith("-")) continue;
    const value = (takesNext(options, word.text) ? args[at + 1] : undefined) ?? attached(word, options);
    if (value) found.push(value);
  }
  return found;
}

function inArguments(texts: Texts, args: readonly Word[]): Run[] {
  const found: Run[] = valuesOf(args, texts.options ?? "").map(({ text }) => ({ text }));
  for (const { text } of texts.keys ? valuesOf(args, texts.keys[0]) : []) {
    const [, key = "", value] = /^\s*([^\s=]+)\s*[\s=]\s*([^]*)$/.exec(text) ?? [];
    if (value !== undefined && texts.keys?.[1].test(key)) found.push({ text: value });
  }
  const behind = (words: string | undefined) => {
    const at = words === undefined ? -1 : args.findIndex(({ text }) => words.split(" ").includes(text));
    return at < 0 ? [] : args.slice(at + 1);
  };
  const rest = behind(texts.rest);
  if (rest.length > 0) found.push(asCommand(rest));
  for (const [words, run] of [
    [behind(texts.foreign), join],
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

/** One word is a text, several are a command. */
export const asCommand = (words: readonly Word[]): Run => (words.length === 1 ? { text: join(words) } : { words });
const join = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");

/** `… mcp add NAME -- rm x`: a server that is started later. */
function serversIn(args: readonly Word[]): Run[] {
  const [verb = "", ...texts] = args.map(({ text }) => text);
  if (verb === "add-json") return texts.flatMap(inJson);
  if (verb !== "add") return [];
  const options = "e:s:t:H: --env= --scope= --transport= --header=";
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
function inCode(code: Code, args: readonly Word[], stdin: string | undefined): Run[] {
  const given = valuesOf(args, code.options ?? "").map(({ text }) => text);
  const operands = args.filter(
    ({ text }, at) => !/^[-+]./.test(text) && !takesNext(`${code.options} ${code.file}`, args[at - 1]?.text ?? ""),
  );
  const isFile = (text: string) => text === "-" || text === "/dev/stdin";
  const files = valuesOf(args, code.file ?? "");
  const reads =
    files.some(({ text }) => isFile(text)) ||
    (code.stdin && files.length + given.length === 0 && operands.every(({ text }) => isFile(text)));
  const texts = [...given, ...args.flatMap(({ text }) => (/^\+./.test(text) ? [text.slice(1)] : []))];
  if (code.operand && texts.length + files.length === 0 && operands[0]) texts.push(operands[0].text);
  if (code.operands) texts.push(...operands.map(({ text }) => text));
  if (reads && stdin !== undefined) texts.push(stdin);
  return texts.flatMap(code.find).map((text) => ({ text, foreign: true }));
}

/** Programs that run commands on another machine. */
const REMOTE =
  /^(?:docker-compose|podman-compose|crictl|ctr|lxc|incus|multipass|lima|limactl|colima|adb|vagrant|heroku|fly|flyctl|gcloud|aws|az|ansible|minikube|k3s|devcontainer|railway|nomad)$/;

/** A program that isn't known may run a shell that its words name: `mywrapper sh -c 'rm x'`. */
function shells(program: string, args: readonly Word[]): readonly Run[] {
  for (let at = 1; at < args.length; at++)
    if (/^-\w*c$/.test((args[at] as Word).text) && isShell(nameOf((args[at - 1] as Word).text)) && !useOf(program))
      return [{ words: args.slice(at - 1), ...(REMOTE.test(program) && { remote: true }) }];
  return NONE;
}
