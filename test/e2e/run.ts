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
 * An action before a launch: install, uninstall, replace or remove the executable, or run a command of the host's own
 * program. In arguments, `{run}` stands for the run's directory and `{self}` for the executable.
 */
export type ExecutableAction =
  | {
      line: readonly string[];
      /** Whether the command belongs to the host's program. */
      by?: "host";
      /** Expected exit code. Defaults to 0; "any" if success shows only in the output. */
      code?: number | "any";
    }
  | { replace: string }
  | { remove: true };

/** One launch of the host. */
export interface RunStep {
  /** Actions before the launch. If any launch has actions, the driver doesn't write entries. */
  before?: readonly ExecutableAction[];
  prompt?: string;
  /** Arguments to use in place of the driver's default ones. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Multiple prompts for one session, if the driver supports this. */
  prompts?: readonly string[];
  /** What to type and expect in a terminal, if the driver supports one. */
  terminal?: readonly string[];
  /** What a client of the host's server does, if the driver supports a server. */
  app?: readonly object[];
}

export interface RunSetup {
  plan?: readonly PlanRule[];
  script: ModelScript;
  /** Consecutive launches of the host with the same home directory and project. Defaults to one. */
  steps?: readonly RunStep[];
  /** Flags in our entries in addition to `--host` and `--event`. */
  flags?: string;
  /**
   * Scope of the config that gets our entries. Defaults to the user's; for Cursor, to the project's, because its user
   * hooks run in another directory.
   */
  scope?: "user" | "project" | "managed";
  /** Native events that get an entry. Defaults to the driver's usual events and those in the plan. */
  events?: readonly string[];
  /** The executable named in entries. Defaults to the probe. */
  executable?: string;
  /** Path to a copy of the executable that installs itself, relative to the run's directory. Defaults to no copy. */
  copy?: string;
  /** The project's path in the run's directory. Defaults to `project`. */
  project?: string;
  /** Directory in the project where sessions start. Defaults to the project itself. */
  folder?: string;
  /** Whether the model's script starts over on each launch of the host. */
  anew?: true;
  /** The project's files, keyed by path. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** The model's name, if the driver's default isn't suitable. */
  model?: string;
  /** Additional fields in every entry, e.g. the host's fail-closed switch. */
  entry?: Readonly<Record<string, unknown>>;
  /** Whether to leave out the flag that makes a host trust its hooks, if there is one. */
  untrusting?: true;
  /** Whether the project is trusted, if the host requires trust. */
  trusting?: true;
  /** Whether the managed config turns hooks on, if the host lets a project turn them off. */
  pinned?: true;
  /** Whether the managed config is printed by a program, on hosts that support this. */
  computed?: true;
  /** Whether the managed config allows only managed hooks, if the host supports this. */
  managedOnly?: true;
  /** Whether the user has turned off the pre-call event's entry, on hosts with a list of disabled entries. */
  disabled?: true;
  /** Whether the config can't be parsed. */
  broken?: true;
  /** Text before and after the driver's config, on hosts where users edit the same file. */
  config?: { before?: string; after?: string };
  /** Whether the host's own plugins are on. By default, the driver's config may turn them off. */
  plugins?: true;
  /** Files to overlay on /etc, keyed by path. `{run}` stands for the run's directory. */
  etc?: Readonly<Record<string, string>>;
  /** Whether the MCP server `tiny` is configured. */
  mcp?: true;
  /** An event on which a later handler logs the replies, if the host supports such handlers. */
  repliesAt?: string;
  /** Whether the host mostly waits, so that the run doesn't slow down others. */
  idle?: true;
  /** Seconds until a hanging host is killed, on a quiet machine. Defaults to 120. */
  bound?: number;
}

export interface RunFolders {
  /** The run's root directory. */
  run: string;
  home: string;
  project: string;
  /** Directory to overlay on /etc, if it contains any files. */
  etc: string;
  /** The model's address. */
  url: string;
}

export interface HostSession {
  code: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
  /** Whether the host was killed because it exceeded its time limit. */
  hung: boolean;
  /** Home directory of a host that serves several runs. Defaults to the run's. */
  home?: string;
  /** When the host ended, in milliseconds since 1970. */
  ended: number;
  /** The probe's calls in this session, in order. */
  calls: readonly ProbeCall[];
}

/** The part of a session's results that drivers determine. */
export type SessionResult = Omit<HostSession, "ended" | "calls">;

/** The results of a run. */
export interface HostRun {
  setup: RunSetup;
  place: RunFolders;
  /** The probe's calls, in order. */
  calls: readonly ProbeCall[];
  /** Requests to the model, in order. */
  requests: readonly ModelRequest[];
  sessions: readonly HostSession[];
  /** What the executable printed when it installed or uninstalled itself. */
  executableOutput: readonly string[];
  /** The error that ended the run, if an action failed. */
  refusal?: string;
  /** Processes that were still running after the host had ended, and so were killed. */
  leftProcesses: readonly string[];
}

/** A host's command line and additional environment variables. */
export interface StartCommand {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface HostRunner {
  release: Release;
  /** Directory that contains the host's program. It's added to PATH for actions. */
  path?: string;
  /** Builds a command that runs the host's own program, for actions. */
  command?: (words: readonly string[], place: RunFolders) => StartCommand;
  configure: (setup: RunSetup, place: RunFolders) => void;
  start: (step: RunStep, setup: RunSetup, place: RunFolders) => StartCommand;
  /** Starts a session in a host that serves several runs. Returns undefined if this launch needs its own process. */
  session?: (step: RunStep, setup: RunSetup, place: RunFolders) => Promise<SessionResult | undefined>;
  /** Ends a host that serves several runs. */
  close?: () => Promise<void>;
  /** Returns the model requests, if the host uses its own backend. */
  requests?: (sessions: readonly HostSession[]) => ModelRequest[];
}

/** Time limit for a command that runs the executable. */
const COMMAND_MS = scaleMs(20_000);
/** How long a process that outlives the host has to exit, or to give up on a hanging hook. */
const LEFT_MS = scaleMs(12_000);

/** Running hosts, which are killed if this program exits. */
const runningHosts = new Set<ChildProcess>();
process.on("exit", () => runningHosts.forEach(endGroup));

/** Whether entries are written by the executable rather than the driver. */
export const isInstalledByExecutable = ({ steps }: RunSetup): boolean => steps?.some(({ before }) => before) ?? false;

/**
 * Lists the events that get an entry in a run. The list is kept short, because most hosts start a process per event.
 */
export function listWantedEvents({ events, plan = [] }: RunSetup, known: readonly string[], quiet: readonly string[]) {
  const planned = plan.map(({ event }) => event);
  return events ?? known.filter((event) => !quiet.includes(event) || planned.includes(event));
}

/** Writes a file, creating its directories. */
export function writeRunFile(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs the real host with the given setup. All files are in a new directory under `under`. */
export async function runHost(
  { path, command, configure, start, session: shared, requests: told }: HostRunner,
  setup: RunSetup,
  under = join(CACHE_FOLDER, "runs"),
): Promise<HostRun> {
  mkdirSync(under, { recursive: true });
  // Keep the name short, because the directory contains sockets.
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
  // Give the project its own repository; otherwise, hosts would use an enclosing one. Write the files directly, because
  // git might be missing.
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

/** Performs the actions before a launch of the host. Returns the error if one fails. */
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
        throw new Error("all runs share this executable, so it can't be changed: give this run a copy");
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

/** Builds the command that runs a host in a terminal. See hosts/terminal.ts. */
export const buildTerminalCommand = (actions: readonly string[]): string[] => [
  process.execPath,
  join(import.meta.dir, "hosts/terminal.ts"),
  String(scaleMs(15_000)),
  JSON.stringify(actions),
];

/** PATH in the environment of hosts. */
export const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Builds a host's environment, without what its driver adds. */
export const buildHostEnvironment = ({ run, home }: RunFolders): Record<string, string> => ({
  PATH,
  HOME: home,
  TMPDIR: join(run, "tmp"),
  // Directory for sockets, which need short paths.
  XDG_RUNTIME_DIR: join(run, "tmp"),
  TERM: "dumb",
  // Huge pages cut the startup CPU time of Node-based hosts by a third.
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
    // The process has exited in the meantime.
  }
}

/** Kills the processes a host left running. They're identified by the run's directory in their environment. */
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
