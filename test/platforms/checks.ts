import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHostileDirectory, fillHostileVariables } from "../../src/cli/build/selftest.ts";
import { hosts } from "../../src/hosts/index.ts";
import { type ProgramResult, runProgram } from "../../src/hosts/run-program.ts";
import { forEachAtOnce, wrapInShell } from "../attack/processes.ts";
import { omitAllowId } from "../support/allow-id.ts";
import { fixtures, getPayload } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";
import { removeTimes } from "../support/projects.ts";
import type { Machine } from "./machines.ts";
import { plantPrograms } from "./planted.ts";
import { createQuickProject, listQuickCalls, TRACE } from "./quick.ts";

/** Results, keyed by step name. Step names are the same on every machine. */
export type Observations = Map<string, string>;

/** An executable on a machine, and a directory for everything it creates. */
export interface Station {
  machine: Machine;
  executable: string;
  folder: string;
  /** Builds an executable with the starter hooks and a hook that prints a line when it runs. */
  buildTraced: () => Promise<string>;
}

interface Run {
  stdin?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** How many milliseconds a run may take on a quiet machine before it counts as hanging. */
  timeout?: number;
  /** Whether stdout is a file rather than a pipe. */
  intoFile?: true;
  executable?: string;
  /** Whether to keep the previous runs' state and home directory. Otherwise, each run gets its own state. */
  continues?: true;
}

type Check = (station: Station) => Promise<Observations>;

let states = 0;

/** Returns the directory in which hosts keep their configs. */
const getHome = ({ machine, folder }: Pick<Station, "machine" | "folder">): string =>
  machine.home ?? join(folder, "home");

/** Runs the executable without this process's environment variables. */
async function run(station: Station, args: readonly string[], given: Run = {}): Promise<ProgramResult> {
  const { machine, folder } = station;
  const { stdin = "", cwd = folder, timeout = 20_000, executable = station.executable, intoFile } = given;
  if (!given.continues) states++;
  const state = machine.toPath(join(folder, "states", `${states}`));
  const home = getHome(station);
  if (machine.home && !given.continues)
    rmSync(join(machine.home, "AppData/Local/bridge-hooks"), { recursive: true, force: true });
  const variables = {
    ...(machine.isLinux && { PATH: process.env.PATH ?? "/usr/bin:/bin" }),
    ...{ HOME: machine.toPath(home), USERPROFILE: machine.toPath(home) },
    ...{ XDG_STATE_HOME: state, LOCALAPPDATA: state, NO_COLOR: "1", COLUMNS: "80" },
    ...given.env,
  };
  const argv = machine.wrap([executable, ...args], variables);
  const output = join(folder, "stdout.txt");
  const start = () =>
    runProgram({
      argv: intoFile ? wrapInShell('out=$1; shift; exec "$@" > "$out"', ["sh", output, ...argv]) : argv,
      cwd,
      env: { PATH: process.env.PATH ?? "" },
      stdin,
      timeout: scaleMs(timeout * machine.slowness),
    });
  let ended = await start();
  // On a busy machine, Wine itself may fail before the program starts.
  if (ended.stderr.startsWith("wine client error:")) ended = await start();
  return intoFile ? { ...ended, stdout: readFileSync(output, "utf8") } : ended;
}

/** Formats what a host receives. */
const formatEnded = (station: Station, { exit_code, stdout, stderr, stopped }: ProgramResult): string =>
  neutralize(station, omitAllowId(`exit code ${exit_code}${stopped ? ` (${stopped})` : ""}\n${stdout}\n${stderr}`));

/** Replaces whatever may differ between machines and runs: paths, times and sizes. */
export function neutralize({ machine, folder }: Pick<Station, "machine" | "folder">, text: string): string {
  const replacePath = (changed: string, path: string, name: string) => {
    const native = machine.toPath(path);
    const escaped = JSON.stringify(native).slice(1, -1);
    const forms = [JSON.stringify(escaped).slice(1, -1), escaped, native, path];
    return forms.reduce((next, form) => next.replaceAll(form, name), changed);
  };
  let neutral = replacePath(text, getHome({ machine, folder }), "«folder»/home").replaceAll("\r\n", "\n");
  neutral = replacePath(neutral, folder, "«folder»");
  if (!machine.isLinux)
    neutral = neutral
      .replace(/«folder»[^\s"'»]*/g, (path) => path.replace(/\\+/g, "/"))
      .replace(/^error: XDG_RUNTIME_DIR .*\n/gm, "")
      .replace(/\.exe\b/g, "");
  return removeTimes(neutral.replace(/"(ms|bytes|seconds|pid)": ?[\d.]+/g, '"$1":#'))
    .replace(/\d+(\.\d+)? ?(ms|s|MB|µs)\b/g, "#")
    .replace(/\b\d+\.\d\b(?= {2})/g, "#")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "«time»")
    .replace(/(bridge-hooks-[a-z-]+)-\w{6,}/g, "$1-«random»");
}

const denyingFlags = ["--on-error", "deny", "--timeout-ms", "60000"];

/** How many calls run concurrently: only one if calls share a home directory. */
const countAtOnce = ({ machine }: Station): number => (machine.home ? 1 : 2);

const checkCorpus: Check = async (station) => {
  const seen: Observations = new Map();
  await forEachAtOnce(
    fixtures,
    async ({ host, version, file, text }) => {
      const ended = await run(station, ["--host", host.id, ...denyingFlags], { stdin: text });
      seen.set(`${host.id} ${version} ${file}`, formatEnded(station, ended));
    },
    countAtOnce(station),
  );
  return seen;
};

const RUBBISH: Readonly<Record<string, string>> = {
  nothing: "",
  "no JSON": "this is not a payload",
  "truncated document": '{"session_id":',
  "a list": "[1]",
  "1 MB of brackets": "[".repeat(1 << 20),
  "NUL bytes": "\0".repeat(1000),
  "a document after NUL": '\0{"hook_event_name":"PreToolUse"}',
};

const checkRubbish: Check = async (station) => {
  const seen: Observations = new Map();
  const calls = Object.entries(RUBBISH).flatMap(([name, stdin]) =>
    ["claude", "cursor", "codex"].flatMap((host) =>
      ["allow", "deny"].map((policy) => ({ name: `${name}, ${host}, ${policy}`, stdin, host, policy })),
    ),
  );
  await forEachAtOnce(
    calls,
    async ({ name, stdin, host, policy }) =>
      void seen.set(name, formatEnded(station, await run(station, ["--host", host, "--on-error", policy], { stdin }))),
    countAtOnce(station),
  );
  return seen;
};

const buildCall = (command: string) =>
  JSON.stringify(getPayload("claude", "PreToolUse-Bash", { tool_input: { command } }));
const DELETE = buildCall("rm -rf /");

const checkHostile: Check = async (station) => {
  const seen: Observations = new Map();
  const cwd = createHostileDirectory(station.folder);
  const loader = { LD_LIBRARY_PATH: cwd, LD_BIND_NOW: "1", LD_ASSUME_KERNEL: "2.6", LOCPATH: cwd, GCONV_PATH: cwd };
  const variables = { ...fillHostileVariables(station.machine.toPath(cwd)), ...loader };
  const cases = [...Object.entries(variables).map(([name, value]) => ({ [name]: value })), variables, {}];
  await forEachAtOnce(
    cases,
    async (env) => {
      const ended = await run(station, ["--host", "claude", ...denyingFlags], { stdin: DELETE, cwd, env });
      const names = Object.keys(env);
      seen.set(names.length > 1 ? "all" : (names[0] ?? "only the directory"), formatEnded(station, ended));
    },
    countAtOnce(station),
  );
  const ended = await run(station, ["--host", "claude", ...denyingFlags], { stdin: DELETE, intoFile: true });
  seen.set("stdout is a file", formatEnded(station, ended));
  return seen;
};

/** Lists the files in a directory, including the contents of those that should be the same on the target. */
function readTree(station: Station, folder: string): string {
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return files
    .filter((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile())
    .filter((file) => folder !== station.machine.home || file.startsWith("."))
    .map((file) => {
      const text = station.machine.sameness === "exit code" ? "" : readFileSync(join(folder, file), "utf8");
      return `${file}\n${neutralize(station, text)}`;
    })
    .join("\n");
}

/** Formats what a user sees. On a target whose text differs by design, only the exit code is compared. */
const formatCommand = (station: Station, ended: ProgramResult): string =>
  station.machine.sameness === "output" ? formatEnded(station, ended) : `exit code ${ended.exit_code}`;

const checkInstall: Check = async (station) => {
  const seen: Observations = new Map();
  const home = getHome(station);
  mkdirSync(home, { recursive: true });
  states++;
  const some = hosts.flatMap(({ id }) => ["--host", id]);
  const step = async (name: string, args: readonly string[]) => {
    const ended = await run(station, args, { timeout: 60_000, continues: true });
    seen.set(name, formatCommand(station, ended));
    seen.set(`${name}: the home`, readTree(station, home));
  };
  await step("install --dry-run", ["install", ...some, "--dry-run"]);
  await step("install", ["install", ...some, "--yes"]);
  await step("second install", ["install", ...some, "--yes"]);
  await step("status", ["status", ...some]);
  await step("doctor", ["doctor", "--host", "claude", "--json"]);
  await step("uninstall", ["uninstall", ...some, "--yes"]);
  await step("status after install", ["status", ...some]);
  return seen;
};

const checkProject: Check = async (station) => {
  const seen: Observations = new Map();
  const { machine, folder } = station;
  const [project, built] = [join(folder, "own"), join(folder, "built")];
  const step = async (name: string, args: readonly string[], more: Run = {}) =>
    void seen.set(name, formatCommand(station, await run(station, args, { timeout: 60_000, ...more })));
  await step("init", ["init", machine.toPath(project)]);
  seen.set("init: the files", readTree(station, machine.canBuild ? project : join(project, "hooks")));
  await step("try", ["try", "--command", "rm -rf /"]);
  await step("try --json", ["try", "--command", "echo", "--json"]);
  await step("try --hooks", ["try", "--hooks", machine.toPath(project), "--command", "npm publish"]);
  await step("test", ["test", machine.toPath(project)]);
  if (!machine.canBuild) return seen;
  await step("build", ["build", project, "--outfile", built], { timeout: 120_000 });
  await step("built output", ["--host", "claude", ...denyingFlags], { stdin: DELETE, executable: built });
  return seen;
};

const checkServe: Check = async (station) => {
  const seen: Observations = new Map();
  const lines = fixtures.map(({ host, payload }, id) => JSON.stringify({ id, argv: ["--host", host.id], payload }));
  const ended = await run(station, ["serve", ...denyingFlags], { stdin: `${lines.join("\n")}\n`, timeout: 60_000 });
  seen.set("its end", formatEnded(station, { ...ended, stdout: "" }));
  for (const line of ended.stdout.split("\n").filter(Boolean)) {
    const { host, version, file } = fixtures[JSON.parse(line).id] ?? {};
    seen.set(`${host?.id} ${version} ${file}`, neutralize(station, line));
  }
  return seen;
};

const checkLoop: Check = async (station) => {
  const seen: Observations = new Map();
  for (const way of ["loop", "loop-async", "never"]) {
    for (const policy of ["allow", "deny"]) {
      const limit = scaleMs(1_500 * station.machine.slowness);
      const args = ["--host", "claude", "--on-error", policy, "--timeout-ms", `${limit}`];
      const ended = await run(station, args, { stdin: buildCall(`probe:${way}`) });
      const late = ended.ms > 3 * limit ? `after ${Math.round(ended.ms)} ms\n` : "";
      seen.set(`${way}, ${policy}`, late + formatEnded(station, ended));
    }
  }
  return seen;
};

/**
 * Configures hooks to start programs by name, as a user might. Wine's cmd.exe always searches the current directory
 * [Wine 10.0, 2026-11-25], so only the shell itself is tested there.
 */
const getStartingHooks = ({ isLinux }: Machine) => ({
  hooks: {
    "verify-before-stop": { commands: [isLinux ? "git --version" : "echo"], when: "always" },
    "format-after-edit": { commands: { "*": "formatter {file}" } },
  },
});

/** Checks that no program is started from a directory in which programs of many names have been planted. */
const checkPlanted: Check = async (station) => {
  const seen: Observations = new Map();
  const { machine, folder } = station;
  const { folder: cwd, program, takeTrace } = await plantPrograms(machine, join(folder, "planted"));
  const home = getHome(station);
  const config = join(home, machine.isLinux ? ".config" : "AppData/Roaming", "bridge-hooks/config.json");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify(getStartingHooks(machine)));
  const edited = join(cwd, "a.txt");
  writeFileSync(edited, "");
  const step = async (name: string, args: readonly string[], payload = "", given: Run = {}) => {
    await run(station, args, { cwd, timeout: 60_000, continues: true, stdin: payload, ...given });
    seen.set(name, takeTrace());
  };
  const call = (name: string, file: string, change: object = {}) =>
    step(
      name,
      ["--host", "claude", "--on-error", "deny", "--timeout-ms", "30000"],
      JSON.stringify(getPayload("claude", file, { cwd: machine.toPath(cwd), ...change })),
    );
  // On Linux, the planted script is run by its shell, because emulators accept only binaries.
  const [executable, args] = machine.isLinux ? ["/bin/sh", [program]] : [program, []];
  await step("a planted program by its path", args, "", { executable });
  await call("a session starts", "SessionStart");
  await call("git reset --hard", "PreToolUse-Bash", { tool_input: { command: "git reset --hard" } });
  await call("an edit", "PostToolUse-Edit", { tool_input: { file_path: machine.toPath(edited) } });
  await call("the end", "Stop");
  for (const command of [
    "install --host claude --yes",
    "status",
    "doctor --host claude",
    "uninstall --host claude --yes",
  ])
    await step(command, command.split(" "));
  rmSync(config);
  return seen;
};

/**
 * Makes calls on the quick path and on the full path, which entries with other flags take. The traced hook prints a
 * line when it runs, which happens only on the full path.
 */
const checkQuick: Check = async (station) => {
  const seen: Observations = new Map();
  const executable = await station.buildTraced();
  const project = createQuickProject();
  for (const [name, { stdin, isPlain }] of listQuickCalls(station.machine, project)) {
    const call = async (flags: readonly string[]) => {
      const ended = await run(station, ["--host", "claude", ...flags], { stdin, executable, cwd: project });
      const stderr = ended.stderr.replace(TRACE, "");
      return { isAsked: stderr !== ended.stderr, text: formatEnded(station, { ...ended, stderr }) };
    };
    const [quick, long] = [await call([]), await call(["--timeout-ms", "60000"])];
    seen.set(name, quick.text === long.text ? "same on both paths" : `${quick.text}\n${long.text}`);
    if (isPlain)
      seen.set(`${name}: the way`, `${quick.isAsked ? "long" : "quick"}, ${long.isAsked ? "long" : "quick"}`);
  }
  rmSync(project, { recursive: true, force: true });
  return seen;
};

/** The checks that are run on every machine. */
export const CHECKS: Readonly<Record<string, Check>> = {
  corpus: checkCorpus,
  quick: checkQuick,
  rubbish: checkRubbish,
  hostile: checkHostile,
  planted: checkPlanted,
  install: checkInstall,
  project: checkProject,
  serve: checkServe,
  loop: checkLoop,
};
