import { basename } from "node:path";
import type { Confirmation } from "../../policy/allow.ts";
import type { ProcessFacts, TerminalFacts, TerminalVerdict } from "./facts.ts";
import { findSshAncestors, findSshFlaw, isLoginProcess } from "./logins.ts";
import { findUntrustedDisplay, findOlderAgent } from "./starters.ts";
import { ACCOUNT_CHANGERS, findAgentVariable, TERMINAL_EMULATORS } from "./programs.ts";

/**
 * Minimum age of a terminal in milliseconds. A program that opens a terminal types into it immediately; a person
 * doesn't.
 */
const MIN_AGE_MS = 2_000;
/** A console counts only if root created it, a serial line only if a login did. */
const CONSOLE_DEVICE = /^(?:tty\d+|hvc\d+|console)$/;
const SERIAL_DEVICE = /^tty(?:S|AMA)\d+$/;
/** Services that run scheduled jobs. */
const SCHEDULED_JOB_GROUP = /\/(?:run-[^/]*|(?:cron|crond|anacron|atd)(?:@[^/]*)?)\.(?:service|scope)(?:\/|$)/;
/** Possible names of the process that owns a WSL terminal. */
const WSL_RELAY = /^(?:Relay\(\d+\)|SessionLeader|init)/;
/** Variables that make the dynamic linker load code into a program. */
const LOADER_VARIABLES = ["LD_PRELOAD", "LD_AUDIT"];

const OTHER_TERMINAL_ADVICE = "run the command in a terminal window that you opened yourself, on a console or over ssh";

const toRefusal = (refusal: string): TerminalVerdict => ({ refusal });
const toConfirmation = (terminalKind: Confirmation): TerminalVerdict => ({ confirmed: terminalKind });
const describeProcess = ({ name, pid }: ProcessFacts) => `${name} (process ${pid})`;

type JudgeProcess = (facts: TerminalFacts, pid: number, judgedServers: ReadonlySet<number>) => TerminalVerdict;

/**
 * Judges whether a person can confirm in a terminal, based on the process that created the terminal.
 * @param chain the process and its ancestors
 */
export function judgeMaker(
  facts: TerminalFacts,
  chain: readonly ProcessFacts[],
  judgedServers: ReadonlySet<number>,
  judgeProcess: JudgeProcess,
): TerminalVerdict {
  const [own] = chain as [ProcessFacts];
  const at = countProcessesWithTerminal(chain, own.terminal);
  const descendants = chain.slice(0, at);
  const [top, maker] = [descendants.at(-1) as ProcessFacts, chain[at]];
  if (own.session !== undefined && !descendants.some(({ pid }) => pid === own.session))
    return toRefusal(`this process was detached from the shell of its terminal; ${OTHER_TERMINAL_ADVICE}`);
  if (maker?.isRoot && maker.terminal !== undefined && ACCOUNT_CHANGERS.has(maker.name))
    return judgeMaker(facts, chain.slice(at), judgedServers, judgeProcess);
  if (!maker && top.parent !== 0)
    return toRefusal(
      `the system hides the process that opened this terminal (hidepid); run the command in a terminal emulator, or with sudo and --managed`,
    );
  const creationTime = Math.max(facts.getTerminalTime(own.terminal ?? "") ?? 0, top.startTime);
  if (facts.now - creationTime < MIN_AGE_MS)
    return toRefusal(
      `this terminal was opened less than ${MIN_AGE_MS / 1000} seconds ago; run the command again manually`,
    );
  if (!maker) return toConfirmation("container");
  const isConsole = CONSOLE_DEVICE.test(own.terminal ?? "")
    ? maker.isRoot
    : SERIAL_DEVICE.test(own.terminal ?? "") && isLoginProcess(maker);
  if (isConsole) return toConfirmation("login-terminal");
  const ssh = findSshAncestors(chain.slice(at));
  return ssh
    ? judgeSshSession(facts, ssh, top)
    : judgeProgram(facts, maker, { ownProcess: own, judgedServers, judgeProcess });
}

/** Counts how many processes at the start of a chain share a terminal. */
function countProcessesWithTerminal(chain: readonly ProcessFacts[], name: string | undefined): number {
  const at = chain.findIndex(({ terminal }) => terminal !== name);
  return at < 0 ? chain.length : at;
}

function judgeSshSession(facts: TerminalFacts, ssh: readonly ProcessFacts[], leader: ProcessFacts): TerminalVerdict {
  const [root] = ssh.filter(({ isRoot }) => isRoot);
  const isSystemServer = root && (root.executable === undefined || facts.isProtected(root.executable));
  if (!isSystemServer)
    return toRefusal(
      `${describeProcess(ssh[0] as ProcessFacts)} is not the system's ssh server; ${OTHER_TERMINAL_ADVICE}`,
    );
  const flaw = findSshFlaw(facts, ssh, leader);
  return flaw === undefined ? toConfirmation("ssh") : toRefusal(flaw);
}

interface ProgramContext {
  ownProcess: ProcessFacts;
  judgedServers: ReadonlySet<number>;
  judgeProcess: JudgeProcess;
}

function judgeProgram(facts: TerminalFacts, maker: ProcessFacts, context: ProgramContext): TerminalVerdict {
  // Nix renames programs to names such as `.kitty-wrapped`.
  const program = basename(maker.executable ?? "").replace(/^\.(.*)-wrapped$/, "$1");
  if (maker.isRoot && facts.isWsl && WSL_RELAY.test(maker.name)) return toConfirmation("wsl");
  const isEmulator = TERMINAL_EMULATORS.has(program);
  const multiplexer = (["tmux", "screen"] as const).find((name) => name === program);
  if (!isEmulator && !multiplexer) {
    const isKnownName = maker.executable === undefined && /^(?:tmux|screen)/i.test(maker.name);
    return toRefusal(
      isKnownName
        ? `${describeProcess(maker)} is hidden or was replaced while running, so this terminal can't be verified; restart it, or ${OTHER_TERMINAL_ADVICE}`
        : `${describeProcess(maker)} opened this terminal, but isn't a login program or terminal emulator; ${OTHER_TERMINAL_ADVICE}`,
    );
  }
  const flaw = findProgramFlaw(facts, maker, program);
  if (flaw !== undefined) return toRefusal(flaw);
  if (!multiplexer) {
    const display = findUntrustedDisplay(facts, maker);
    return display === undefined
      ? toConfirmation("terminal-emulator")
      : toRefusal(
          `${program} uses the display server ${display}, whose windows may be invisible; ${OTHER_TERMINAL_ADVICE}`,
        );
  }
  return hasConfirmedClient(facts, maker, context)
    ? toConfirmation(multiplexer)
    : toRefusal(
        `no client of ${multiplexer} is in a terminal that allows confirmation; attach from such a terminal, or run this outside ${multiplexer}`,
      );
}

function findProgramFlaw(facts: TerminalFacts, maker: ProcessFacts, program: string): string | undefined {
  const { environment, executable = "", group } = maker;
  if (!facts.isProtected(executable))
    return `${executable} can be replaced by this account; run the command on a console, over ssh, or in a terminal that is installed for all accounts`;
  if (!environment) return `the system hides the environment of ${describeProcess(maker)}; ${OTHER_TERMINAL_ADVICE}`;
  const variable = findAgentVariable(environment);
  if (variable) return `an agent started ${program} (${variable.name} is set); ${OTHER_TERMINAL_ADVICE}`;
  const loaderVariable = LOADER_VARIABLES.find((name) => environment[name]);
  const libraries = (environment.LD_LIBRARY_PATH ?? "").split(":").filter(Boolean);
  if (loaderVariable !== undefined || libraries.some((folder) => !facts.isProtected(folder)))
    return `${loaderVariable ?? "LD_LIBRARY_PATH"} loads code into ${program}; start it again without that variable`;
  if (SCHEDULED_JOB_GROUP.test(group))
    return `a service (${basename(group)}) started ${program}; ${OTHER_TERMINAL_ADVICE}`;
  const older = findOlderAgent(facts, maker);
  return older === undefined
    ? undefined
    : `${older} may have started ${program}, which is newer and not part of a login session; end ${older} first, or run this on a console or over ssh`;
}

/** Whether at least one client of a multiplexer runs in a terminal where a person can confirm. */
function hasConfirmedClient(facts: TerminalFacts, server: ProcessFacts, context: ProgramContext): boolean {
  const judgedServers = new Set([...context.judgedServers, server.pid]);
  if (judgedServers.size === context.judgedServers.size) return false;
  const socket = describeSocket(server);
  for (const client of facts.processes.values()) {
    const { pid, executable, terminal } = client;
    const isClient =
      executable === server.executable && terminal !== undefined && terminal !== context.ownProcess.terminal;
    if (isClient && describeSocket(client) === socket && "confirmed" in context.judgeProcess(facts, pid, judgedServers))
      return true;
  }
  return false;
}

/**
 * Identifies a tmux process's socket from the process's options and variables. Returns "" for screen, because all
 * screen processes share one socket directory.
 */
function describeSocket({ words, environment, executable = "" }: ProcessFacts): string {
  if (basename(executable) !== "tmux") return "";
  const sockets: string[] = [];
  for (let at = 1; words[at]?.startsWith("-"); at++) {
    const [, option, value] = /^-[^LScfT]*([LScfT])(.*)$/.exec(words[at] ?? "") ?? [];
    if (option === "L" || option === "S") sockets.push(`${option}${value || words[at + 1]}`);
    if (option !== undefined && !value) at++;
  }
  const [inside = ""] = sockets.length > 0 ? [] : (environment?.TMUX ?? "").split(",");
  return JSON.stringify([sockets, inside, environment?.TMUX_TMPDIR ?? ""]);
}
