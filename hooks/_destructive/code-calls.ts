import type { Command } from "bridge-hooks";
import { readsScript } from "./download-finders.ts";
import type { OperandFinder } from "./place-finder.ts";

const INLINE_CODE_OPTION = /^-\w*[ceErpR]$|^--(eval|print|run)$/;
/** Code attached to its option, as in `-e'system "x"'`. */
const ATTACHED_CODE = /^-[cer](?=.*[\s('"`;])/;

/** Lists the code passed to an interpreter in its arguments or, if there is none, on stdin. */
function listInterpretedCode(command: Command): string[] {
  const { args, stdin } = command;
  const snippets: string[] = [];
  for (const [at, arg] of args.entries()) {
    if (INLINE_CODE_OPTION.test(args[at - 1] ?? "")) snippets.push(arg);
    else if (ATTACHED_CODE.test(arg)) snippets.push(arg.slice(2));
  }
  // `deno eval CODE`
  if (args[0] === "eval" && args[1] !== undefined) snippets.push(...args.slice(1));
  if (snippets.length === 0 && stdin !== undefined && readsScript(command)) snippets.push(stdin);
  return snippets;
}

/** Calls that run other programs, listed by language. */
const SUBPROCESS_CALLS: readonly (readonly [program: RegExp, call: RegExp])[] = [
  [
    /^(python|pypy|py$)/,
    /\b(os\.(system|popen|exec[lv]\w{0,2}|spawn[lv]\w{0,2}|posix_spawnp?)|subprocess\.(run|call|Popen|check_call|check_output|getoutput|getstatusoutput)|pty\.spawn|commands\.getoutput)(?=\s*\()|from (?:subprocess|os) import (?:system|popen|run|call|Popen|check_call|check_output)\b/,
  ],
  [
    /^(node|nodejs|tsx|ts-node|deno|bun)$/,
    /\bchild_process\b|\bDeno\.(Command|run)(?=\s*\()|\bBun\.(spawn|spawnSync|\$)/,
  ],
  [
    /^ruby/,
    /(?<![.\w])(Kernel\.|Process\.)?(system|exec|spawn)(?=\s*\(|\s+["'%])|\b(IO\.popen|Open3\.\w+)|%x(?=[[{(/|])|`/,
  ],
  [/^perl/, /(?<![$@%&>\w])(system|exec)(?=\s*\(|\s+["'{q$@])|\bqx(?=\s*[[{(/|'"])|`/],
  [/^php/, /(?<![$>:\w])(system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec)(?=\s*\()|`/],
];

const SHELL_NAME = /["'`/\s](ba|z|da|k|a)?sh["'`\s\\]|cmd\.exe|powershell|\bpty\.spawn/i;
const CONNECTION_PATTERN =
  /\bsocket\.(socket|create_connection)|\bTCPSocket\b|\bfsockopen\b|\bstream_socket_client\b|\bIO::Socket\b|\buse Socket\b|\bnet\.(connect|createConnection|Socket)|require\(["']net["']\)|\bDeno\.connect\b/;

/** Searches the code passed to an interpreter for a call that runs another program. */
const findCall: OperandFinder = (_, command) => {
  const call = SUBPROCESS_CALLS.find(([program]) => program.test(command.program))?.[1];
  if (!call) return undefined;
  for (const code of listInterpretedCode(command)) {
    const [callText] = call.exec(code) ?? [];
    if (callText !== undefined) return callText === "`" ? "backticks" : callText;
  }
  return undefined;
};

/**
 * Searches the code passed to an interpreter for a connection to another machine. It counts only if the code also
 * starts a shell.
 */
const findConnection: OperandFinder = (_, command) => {
  for (const code of listInterpretedCode(command)) {
    const [callText] = (SHELL_NAME.test(code) && CONNECTION_PATTERN.exec(code)) || [];
    if (callText !== undefined) return callText;
  }
  return undefined;
};

/** Placeholders that rules about code use in their patterns. */
export const CODE_PLACEHOLDERS = {
  call: { find: findCall },
  connection: { words: ["socket", "fsockopen", "net", "deno.connect"], find: findConnection },
} satisfies Readonly<Record<string, { words?: readonly string[]; find: OperandFinder }>>;
