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
import { withEtcOverlay } from "./isolate.ts";
import { closeModel, type ModelRequest, openModel, restartModel, type ModelScript } from "./model.ts";
import { type ProbeCall, type PlanRule, RUN_VARIABLE } from "./plan.ts";
import { CACHE_FOLDER, PROBE_EXECUTABLE, type Release } from "./releases.ts";

/**
 * What is done with the executable: it installs itself or takes itself out (`{run}` in a line is the run's folder), or its copy
 * gives way to another file, or goes.
 */
export type ExecutableAction =
  | {
      line: readonly string[];
      /** How it ends. Default 0. */
      code?: number;
    }
  | { replace: string }
  | { remove: true };

/** One start of the host. */
export interface RunStep {
  /** What is done before it. With deeds in any start the driver writes no entries. */
  before?: readonly ExecutableAction[];
  prompt?: string;
  /** Arguments instead of the driver's usual ones. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Several prompts in one session, where the driver can. */
  prompts?: readonly string[];
  /** What is typed and waited for in a terminal, where the driver has one. */
  terminal?: readonly string[];
  /** What a client of the host's server is to do, where the driver has one. */
  app?: readonly object[];
}

/** What a run is made of. */
export interface RunSetup {
  plan?: readonly PlanRule[];
  script: ModelScript;
  /** Starts of the host, one after another, with the same home and project. Default: one. */
  steps?: readonly RunStep[];
  /** Flags of our entries besides `--host` and `--event`. */
  flags?: string;
  /** Whose config has our entries. Default: the user's (Cursor: the project's, since the user's hooks run in another folder). */
  scope?: "user" | "project" | "managed";
  /** Native events that have an entry. Default: all of the table, but those that take none. */
  events?: readonly string[];
  /** The executable of the entries. Default: the probe's. */
  executable?: string;
  /** Where in the run's folder a copy of the executable lies, which installs itself. Default: none is made. */
  copy?: string;
  /** The project's folder in that of the run. Default: `project`. */
  project?: string;
  /** The model says the same in each start. */
  anew?: true;
  /** Files of the project, by path. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** The model's name, where the driver's own will not do. */
  model?: string;
  /** Fields of every entry, e.g. the host's own fail-closed switch. */
  entry?: Readonly<Record<string, unknown>>;
  /** Without the flag by which a host trusts its hooks, where it has one. */
  untrusting?: true;
  /** The project is trusted, where a host asks for that. */
  trusting?: true;
  /** The managed config says that hooks are on, where a host lets a project say otherwise. */
  pinned?: true;
  /** The config is one that does not parse. */
  broken?: true;
  /** The MCP server `tiny` is configured. */
  mcp?: true;
  /** The host waits most of the time: the run takes nothing from others. */
  idle?: true;
  /** Seconds after which the host is killed. Default 60. */
  bound?: number;
}

/** The folders of one run. */
export interface RunFolders {
  /** The run's folder; all else lies in it. */
  run: string;
  home: string;
  project: string;
  /** Laid over /etc, if there is anything in it. */
  etc: string;
  /** The model's address. */
  url: string;
}

export interface HostSession {
  code: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
  /** It was killed at its bound. */
  hung: boolean;
  /** When it had ended, in milliseconds since 1970. */
  ended: number;
  /** Calls of the probe in it, in order. */
  calls: readonly ProbeCall[];
}

/** What whoever starts a host sees of it. */
export type SessionResult = Omit<HostSession, "ended" | "calls">;

/** What a run left behind. */
export interface HostRun {
  setup: RunSetup;
  place: RunFolders;
  /** Calls of the probe, in order. */
  calls: readonly ProbeCall[];
  /** What the model was asked, in order. */
  requests: readonly ModelRequest[];
  sessions: readonly HostSession[];
  /** What the executable printed when it installed itself, or took itself out. */
  executableOutput: readonly string[];
  /** Why it did not do that. The run ended there. */
  refusal?: string;
  /** Processes that outlived the host, and were ended. */
  leftProcesses: readonly string[];
}

/** The start of a host: its command line and what its environment has besides the usual. */
export interface StartCommand {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface HostRunner {
  release: Release;
  /** The folder of the host's program, where deeds find it. */
  path?: string;
  configure: (setup: RunSetup, place: RunFolders) => void;
  start: (step: RunStep, setup: RunSetup, place: RunFolders) => StartCommand;
  /** A start in a host that runs for many runs. Nothing: this one is a process of its own. */
  session?: (step: RunStep, setup: RunSetup, place: RunFolders) => Promise<SessionResult | undefined>;
  /** Ends what runs for many runs. */
  close?: () => Promise<void>;
  /** What the model was fed, where the host has a model of its own to talk to. */
  requests?: (sessions: readonly HostSession[]) => ModelRequest[];
}

/** Hosts that are running: they end with this program. */
const runningHosts = new Set<ChildProcess>();
process.on("exit", () => runningHosts.forEach(endGroup));

/** Whether the executable writes the entries, and not the driver. */
export const isInstalledByExecutable = ({ steps }: RunSetup): boolean => steps?.some(({ before }) => before) ?? false;

/** A file, and the folders that it lies in. */
export function writeRunFile(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs the real host as the setup says. Everything it writes is in one new folder under `under`. */
export async function runHost(
  { path, configure, start, session: shared, requests: told }: HostRunner,
  setup: RunSetup,
  under = join(CACHE_FOLDER, "runs"),
): Promise<HostRun> {
  mkdirSync(under, { recursive: true });
  // A short name: sockets lie in it.
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
  // A repository of its own, or hosts work on the one around it; made by hand, since git may be missing.
  for (const path of ["objects", "refs"]) mkdirSync(join(place.project, ".git", path), { recursive: true });
  writeRunFile(join(place.project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeRunFile(join(folder, "plan.json"), JSON.stringify(setup.plan ?? []));
  for (const [path, text] of Object.entries(setup.files ?? {})) writeRunFile(join(place.project, path), text);
  configure(setup, place);
  const program = prepareExecutable(setup, place);
  const sessions: HostSession[] = [];
  const executableOutput: string[] = [];
  const leftProcesses: string[] = [];
  let refusal: string | undefined;
  for (const step of setup.steps ?? [{}]) {
    refusal = await performActions(program, step, place, executableOutput, path);
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
  { bound = 60 }: RunSetup,
  place: RunFolders,
): Promise<SessionResult> {
  const command = existsSync(place.etc) ? withEtcOverlay(place.etc, argv) : argv;
  return runSession(command, { ...buildHostEnvironment(place), ...env, ...step.env }, place, bound);
}

function prepareExecutable({ executable = PROBE_EXECUTABLE, copy }: RunSetup, { run }: RunFolders): string {
  if (copy === undefined) return executable;
  const file = join(run, copy);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(executable, file);
  return file;
}

/** Does what comes before a start of the host. Returns why the executable refused. */
async function performActions(
  program: string,
  { before = [] }: RunStep,
  place: RunFolders,
  output: string[],
  path?: string,
): Promise<string | undefined> {
  const env = { ...buildHostEnvironment(place), ...(path && { PATH: `${path}:${PATH}` }) };
  for (const deed of before) {
    if (!("line" in deed)) {
      if (!program.startsWith(place.run))
        throw new Error("the executable of all runs stays as it is: give this one a copy");
      rmSync(program);
      if ("replace" in deed) copyFileSync(deed.replace, program);
      continue;
    }
    const argv = [program, ...deed.line.map((word) => word.replace("{run}", place.run))];
    const child = Bun.spawn(argv, { cwd: place.project, env, stdout: "pipe", stderr: "pipe", timeout: 20_000 });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    output.push(stdout);
    if (code !== (deed.code ?? 0))
      return `${deed.line.join(" ")}: exit code ${code}: ${[stdout, stderr].join("\n").trim()}`;
  }
  return undefined;
}

/** Where hosts find programs. */
export const PATH = "/usr/local/bin:/usr/bin:/bin";

/** All the environment that a host gets, besides what its driver adds. */
export const buildHostEnvironment = ({ run, home }: RunFolders): Record<string, string> => ({
  PATH,
  HOME: home,
  TMPDIR: join(run, "tmp"),
  // Sockets go here; their paths must be short.
  XDG_RUNTIME_DIR: join(run, "tmp"),
  TERM: "dumb",
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
  const timer = setTimeout(() => {
    hung = true;
    endGroup(child);
  }, bound * 1000);
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

/** Ends what a host left running: processes that carry the run's folder in their environment. */
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
  // Servers of the host's own take a moment to see that it ended, and a hook that hangs in a resident process has its time.
  for (let tries = 0; tries < 240 && alive().length > 0; tries++) await Bun.sleep(50);
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
