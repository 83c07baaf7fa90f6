import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./fixtures.ts";

/** The output of a command. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A directory with files, in a home of its own; commands run in it as a person runs them. */
export function createProject(files: Readonly<Record<string, string>>) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-project-")));
  const at = join(home, "app");
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  };
  mkdirSync(at);
  for (const [name, text] of Object.entries(files)) put(name, text);
  const { COLUMNS: _, NO_COLOR: __, FORCE_COLOR: ___, CLAUDECODE: ____, ...rest } = process.env;
  // The output is as wide as on a terminal; output to a program does not get COLUMNS.
  const env = {
    ...rest,
    COLUMNS: "80",
    HOME: home,
    USERPROFILE: home,
    XDG_STATE_HOME: join(home, "state"),
    LOCALAPPDATA: join(home, "state"),
  };
  /** The command line, run from source. */
  const command = [process.execPath, "--no-install", join(ROOT, "src/main.ts")];
  return {
    home,
    at,
    put,
    env,
    command,
    run(args: readonly string[], more: { stdin?: string; env?: Record<string, string> } = {}): CommandResult {
      const { exitCode, stdout, stderr } = Bun.spawnSync([...command, ...args], {
        cwd: at,
        env: { ...env, ...more.env },
        stdin: Buffer.from(more.stdin ?? ""),
        timeout: 30_000,
      });
      return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    },
    end: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The width of the widest line, in columns. */
export const measureWidth = (text: string): number =>
  Math.max(...text.split("\n").map((line) => Bun.stringWidth(line)));

/** Removes milliseconds, which differ from run to run. */
export const removeTimes = (text: string): string =>
  text
    .replace(/ +\d+\.\d+$/gm, " #.#")
    .replace(/ +\d+\.\d\d(?=  )/g, " #.##")
    .replace(/(?<=asked, )[\d.]+( to [\d.]+)? ms/g, "# ms")
    .replace(/[\d.]+ ms each,\s[\d.]+\sms\sat\smost/g, "# ms each, # ms at most");
