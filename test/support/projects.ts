import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { EXECUTABLE, ROOT } from "./fixtures.ts";
import { scaleMs } from "./machine.ts";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The CLI run from source. It has no hooks and takes four times as long to start. */
export const HOOKLESS: readonly string[] = [process.execPath, "--no-install", join(ROOT, "src/main.ts")];

/** Time after which a command counts as hanging. */
const HANG_MS = scaleMs(60_000);

/** Creates a directory with files in a home directory of its own. Commands run there as if a user had started them. */
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
  // Format output for a terminal's width. COLUMNS wouldn't be set for output to a program.
  const env = {
    ...rest,
    // If the executable is on PATH, messages refer to it by name.
    PATH: `${dirname(EXECUTABLE)}${delimiter}${rest.PATH ?? ""}`,
    COLUMNS: "80",
    HOME: home,
    USERPROFILE: home,
    XDG_STATE_HOME: join(home, "state"),
    LOCALAPPDATA: join(home, "state"),
  };
  return {
    home,
    at,
    put,
    env,
    /** @param command defaults to the built executable with the starter hooks */
    run(
      args: readonly string[],
      {
        stdin = "",
        env: more = {},
        command = [EXECUTABLE],
      }: { stdin?: string; env?: Record<string, string>; command?: readonly string[] } = {},
    ): CommandResult {
      const { exitCode, stdout, stderr } = Bun.spawnSync([...command, ...args], {
        cwd: at,
        env: { ...env, ...more },
        stdin: Buffer.from(stdin),
        timeout: HANG_MS,
      });
      return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    },
    end: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Returns the width of the widest line, in columns. */
export const measureWidth = (text: string): number =>
  Math.max(...text.split("\n").map((line) => Bun.stringWidth(line)));

/** Removes times in milliseconds, which differ from run to run. */
export const removeTimes = (text: string): string =>
  text
    .replace(/[\d.]+\sms\seach,\s[\d.]+\sms\sat\smost/g, "# ms each, # ms at most")
    .replace(/(?<=asked, )[\d.]+( to [\d.]+)? ms/g, "# ms")
    .replace(/ +\d+\.\d+$/gm, " #.#")
    .replace(/ +\d+\.\d\d(?= )/gm, " #.##");
