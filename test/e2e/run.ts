import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { scaleMs } from "../support/machine.ts";
import { withEtcOverlay } from "./isolate.ts";
import { closeModel, type ModelRequest, openModel, restartModel, type ModelScript } from "./model.ts";
import { type ProbeCall, type PlanRule, RUN_VARIABLE } from "./plan.ts";
import { CACHE_FOLDER, PROBE_EXECUTABLE, type Release } from "./releases.ts";

/**
 * An action on the executable: it installs or uninstalls itself (`{run}` in a line is the run's directory, `{self}` the
 * executable), or its copy is replaced by another file, or removed; or a command of the host's own program.
 */
export type ExecutableAction =
  | {
      line: readonly string[];
      /** The host's program runs it. */
      by?: "host";
      /** The expected exit code. Default 0; "any" where the output tells. */
      code?: number | "any";
    }
  | { replace: string }
  | { remove: true };

/** One start of the host. */
export interface RunStep {
  /** Actions before it. If any start has actions, the driver does not write entries. */
  before?: readonly ExecutableAction[];
  prompt?: string;
  /** Arguments instead of the driver's usual ones. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Several prompts in one session, if the driver supports that. */
  prompts?: readonly string[];
  /** Input and expected output in a terminal, if the driver has one. */
  terminal?: readonly string[];
  /** Actions of a client of the host's server, if the driver has one. */
  app?: readonly object[];
}

/** The setup of a run. */
export interface RunSetup {
  plan?: readonly PlanRule[];
  script: ModelScript;
  /** Starts of the host, one after another, with the same home and project. Default: one. */
  steps?: readonly RunStep[];
  /** Flags of our entries besides `--host` and `--event`. */
  flags?: string;
  /**
   * The config that gets our entries. Default: the user's (Cursor: the project's, since the user's hooks run in another
   * directory).
   */
  scope?: "user" | "project" | "managed";
  /** Native events with an entry. Default: those of the plan and those that the driver's scenarios show. */
  events?: readonly string[];
  /** The executable of the entries. Default: the probe's. */
  executable?: string;
  /** The path in the run's directory of a copy of the executable, which installs itself. Default: no copy. */
  copy?: string;
  /** The project's path in the run's directory. Default: `project`. */
  project?: string;
  /** The folder in the project that sessions start in. Default: the project. */
  folder?: string;
  /** The model's script restarts with each start. */
  anew?: true;
  /** Files of the project, by path. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** The model's name, if the driver's default does not fit. */
  model?: string;
  /** Fields of every entry, e.g. the host's own fail-closed switch. */
  entry?: Readonly<Record<string, unknown>>;
  /** Without the flag that makes a host trust its hooks, if it has one. */
  untrusting?: true;
  /** The project is trusted, if a host requires that. */
  trusting?: true;
  /** The managed config turns hooks on, if a host lets a project turn them off. */
  pinned?: true;
  /** A program prints the managed config, on hosts that ask one. */
  computed?: true;
  /** The managed config allows managed hooks only, if a host has that. */
  managedOnly?: true;
  /** The user turned the entry of the event before a call off, if a host has a list for that. */
  disabled?: true;
  /** The config does not parse. */
  broken?: true;
  /** Text of others around what the driver writes to the config, on a host whose users write to the same file. */
  config?: { before?: string; after?: string };
  /** The host's own plugins are on, if its config turns them off here otherwise. */
  plugins?: true;
  /** Files laid over /etc, by path; `{run}` is the run's directory. */
  etc?: Readonly<Record<string, string>>;
  /** The MCP server `tiny` is configured. */
  mcp?: true;
  /** An event whose replies, ours included, a later handler writes to the log, if a host has such handlers. */
  repliesAt?: string;
  /** The host waits most of the time, so the run does not slow others down. */
  idle?: true;
  /** Seconds after which a host that hangs is killed, on a quiet machine. Default 120. */
  bound?: number;
}

/** The directories of one run. */
export interface RunFolders {
  /** The run's directory, which contains everything else. */
  run: string;
  home: string;
  project: string;
  /** Laid over /etc, if it has any files. */
  etc: string;
  /** The model's address. */
  url: string;
}

export interface HostSession {
  code: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
  /** It was killed when its time was up. */
  hung: boolean;
  /** The home folder of a host that serves many runs. Default: the run's. */
  home?: string;
  /** When it ended, in milliseconds since 1970. */
  ended: number;
  /** Calls of the probe in it, in order. */
  calls: readonly ProbeCall[];
}

/** What the process that starts a host sees of it. */
export type SessionResult = Omit<HostSession, "ended" | "calls">;

/** The results of a run. */
export interface HostRun {
  setup: RunSetup;
  place: RunFolders;
  /** Calls of the probe, in order. */
  calls: readonly ProbeCall[];
  /** Requests to the model, in order. */
  requests: readonly ModelRequest[];
  sessions: readonly HostSession[];
  /** The executable's output when it installed or uninstalled itself. */
  executableOutput: readonly string[];
  /** Why that failed. The run ended there. */
  refusal?: string;
  /** Processes that outlived the host, and were killed. */
  leftProcesses: readonly string[];
}

/** The start of a host: its command line, and variables besides the usual ones. */
export interface StartCommand {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface HostRunner {
  release: Release;
  /** The directory of the host's program, for actions. */
  path?: string;
  /** A command of the host's own program, for actions. */
  command?: (words: readonly string[], place: RunFolders) => StartCommand;
  configure: (setup: RunSetup, place: RunFolders) => void;
  start: (step: RunStep, setup: RunSetup, place: RunFolders) => StartCommand;
  /** A start in a host that serves many runs. Undefined: this start needs a process of its own. */
  session?: (step: RunStep, setup: RunSetup, place: RunFolders) => Promise<SessionResult | undefined>;
  /** Ends a host that serves many runs. */
  close?: () => Promise<void>;
  /** The requests to the model, if the host has a backend of its own. */
  requests?: (sessions: readonly HostSession[]) => ModelRequest[];
}

/** A command of the executable that has not ended by then hangs. */
const COMMAND_MS = scaleMs(20_000);
/** Processes that a host leaves have this long to notice its end, or to give up a hook that hangs. */
const LEFT_MS = scaleMs(12_000);

/** Running hosts; they end with this program. */
const runningHosts = new Set<ChildProcess>();
process.on("exit", () => runningHosts.forEach(endGroup));

/** Whether the executable writes the entries, rather than the driver. */
export const isInstalledByExecutable = ({ steps }: RunSetup): boolean => steps?.some(({ before }) => before) ?? false;

/** The events that get an entry in a run: most hosts start a process for each of them. */
export function listWantedEvents({ events, plan = [] }: RunSetup, known: readonly string[], quiet: readonly string[]) {
  const planned = plan.map(({ event }) => event);
  return events ?? known.filter((event) => !quiet.includes(event) || planned.includes(event));
}

/** Writes a file, and creates its directories. */
export function writeRunFile(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs the real host as the setup says. Everything it writes is in one new directory under `under`. */
export async function runHost(
  { path, command, configure, start, session: shared, requests: told }: HostRunner,
  setup: RunSetup,
  under = join(CACHE_FOLDER, "runs"),
): Promise<HostRun> {
  mkdirSync(under, { recursive: true });
  // A short name, because sockets are created in it.
  const folder = mkdtempSync(join(under, "r"));
  const name = basename(folder);
  const { url, requests } = openModel(name, setup.script);
  const place: RunFolders = {
    run: folder,
    home: join(folder, "home"),
    project: join(folder, setup.project ?? "project"),
    etc: join(folder, "etc"),
    url,
  };
  for (const path of [place.home, place.project, join(folder, "tmp")]) mkdirSync(path, { recursive: true });
  // A repository of its own, or hosts would use the one around it; written directly, since git may be missing.
  for (const path of ["objects", "refs"]) mkdirSync(join(place.project, ".git", path), { recursive: true });
  writeRunFile(join(place.project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeRunFile(join(folder, "plan.json"), JSON.stringify(setup.plan ?? []));
  for (const [path, text] of Object.entries(setup.files ?? {})) writeRunFile(join(place.project, path), text);
  for (const [path, text] of Object.entries(setup.etc ?? {}))
    writeRunFile(join(place.etc, path), text.replaceAll("{run}", folder));
  configure(setup, place);
  const program = prepareExecutable(setup, place);
  const sessions: HostSession[] = [];
  const executableOutput: string[] = [];
  const leftProcesses: string[] = [];
  let refusal: string | undefined;
  for (const step of setup.steps ?? [{}]) {
    refusal = await performActions(program, step, { place, folder: setup.folder, path, command }, executableOutput);
    if (refusal !== undefined) break;
    if (setup.anew) restartModel(name);
    const before = readCalls(folder).length;
    const seen =
      (await shared?.(step, setup, place)) ?? (await startHost(start(step, setup, place), step, setup, place));
    const ended = Date.now();
    leftProcesses.push(...(await endLeftProcesses(place)));
    sessions.push({ ...seen, ended, calls: readCalls(folder).slice(before) });
  }
  closeModel(name);
  return {
    setup,
    place,
    calls: readCalls(folder),
    requests: told?.(sessions) ?? requests,
    sessions,
    executableOutput,
    refusal,
    leftProcesses,
  };
}

function startHost(
  { argv, env }: StartCommand,
  step: RunStep,
  { bound = 120, folder = "." }: RunSetup,
  place: RunFolders,
): Promise<SessionResult> {
  const command = existsSync(place.etc) ? withEtcOverlay(place.etc, argv) : argv;
  const environment = { ...buildHostEnvironment(place), ...env, ...step.env };
  return runSession(command, environment, { ...place, project: join(place.project, folder) }, bound);
}

function prepareExecutable({ executable = PROBE_EXECUTABLE, copy }: RunSetup, { run }: RunFolders): string {
  if (copy === undefined) return executable;
  const file = join(run, copy);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(executable, file);
  return file;
}

/** Performs the actions before a start of the host. Returns why the executable refused. */
async function performActions(
  program: string,
  { before = [] }: RunStep,
  {
    place,
    folder = ".",
    path,
    command,
  }: { place: RunFolders; folder?: string | undefined } & Partial<Pick<HostRunner, "path" | "command">>,
  output: string[],
): Promise<string | undefined> {
  const cwd = join(place.project, folder);
  const env = { ...buildHostEnvironment(place), ...(path && { PATH: `${path}:${PATH}` }) };
  for (const deed of before) {
    if (!("line" in deed)) {
      if (!program.startsWith(place.run))
        throw new Error("the executable of all runs stays as it is: give this one a copy");
      rmSync(program);
      if ("replace" in deed) copyFileSync(deed.replace, program);
      continue;
    }
    const words = deed.line.map((word) => word.replace("{run}", place.run).replace("{self}", program));
    const own = deed.by === "host" ? command?.(words, place) : undefined;
    const child = Bun.spawn([...(own?.argv ?? [program, ...words])], {
      ...{ cwd, env: { ...env, ...own?.env }, timeout: COMMAND_MS },
      ...{ stdout: "pipe", stderr: "pipe" },
    });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    output.push(stdout);
    if (deed.code !== "any" && code !== (deed.code ?? 0))
      return `${deed.line.join(" ")}: exit code ${code}: ${[stdout, stderr].join("\n").trim()}`;
  }
  return undefined;
}

/** The command that types into a host in a terminal; see hosts/terminal.ts. */
export const buildTerminalCommand = (actions: readonly string[]): string[] => [
  process.execPath,
  join(import.meta.dir, "hosts/terminal.ts"),
  String(scaleMs(15_000)),
  JSON.stringify(actions),
];

/** The PATH of hosts. */
export const PATH = "/usr/local/bin:/usr/bin:/bin";

/** The complete environment of a host, except for what its driver adds. */
export const buildHostEnvironment = ({ run, home }: RunFolders): Record<string, string> => ({
  PATH,
  HOME: home,
  TMPDIR: join(run, "tmp"),
  // For sockets, whose paths must be short.
  XDG_RUNTIME_DIR: join(run, "tmp"),
  TERM: "dumb",
  // Memory in large pages: with it, hosts on Node start in two thirds of the processor time.
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
  LANG: "C.UTF-8",
  [RUN_VARIABLE]: run,
});

async function runSession(
  argv: readonly string[],
  env: Record<string, string>,
  { run, project }: RunFolders,
  bound: number,
): Promise<SessionResult> {
  const files = ["stdout", "stderr"].map((name) => join(run, name));
  const [out, err] = files.map((file) => openSync(file, "w")) as [number, number];
  const started = performance.now();
  const child = spawn(argv[0] as string, argv.slice(1), {
    cwd: project,
    env,
    stdio: ["ignore", out, err],
    detached: true,
  });
  let hung = false;
  runningHosts.add(child);
  const timer = setTimeout(
    () => {
      hung = true;
      endGroup(child);
    },
    scaleMs(bound * 1000),
  );
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("exit", (status) => resolve(status));
  });
  clearTimeout(timer);
  runningHosts.delete(child);
  const seconds = (performance.now() - started) / 1000;
  for (const file of [out, err]) closeSync(file);
  const [stdout = "", stderr = ""] = files.map((file) => readFileSync(file, "utf8"));
  return { code, stdout, stderr, seconds, hung };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // It ended in between.
  }
}

/** Ends processes that a host left running; they have the run's directory in their environment. */
async function endLeftProcesses({ run }: RunFolders): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const ours = `${RUN_VARIABLE}=${run}\0`;
  const alive = () =>
    readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(ours);
      } catch {
        return false;
      }
    });
  const until = performance.now() + LEFT_MS;
  while (alive().length > 0 && performance.now() < until) await Bun.sleep(50);
  return alive().flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      process.kill(Number(pid), "SIGKILL");
      return [command];
    } catch {
      return [];
    }
  });
}

function readCalls(folder: string): ProbeCall[] {
  const calls = join(folder, "calls");
  if (!existsSync(calls)) return [];
  return readdirSync(calls)
    .filter((file) => file.endsWith(".json"))
    .sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
    .map((file) => JSON.parse(readFileSync(join(calls, file), "utf8")) as ProbeCall);
}
