import { expect } from "bun:test";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../src/hosts/find-program.ts";
import { run } from "./support.ts";

export interface Machine {
  home: string;
  /** Programs that the machine doesn't have. */
  without?: readonly string[];
  /** Replacements for system programs: shell scripts, keyed by name. */
  instead?: Readonly<Record<string, string>>;
  shell?: string;
}

/** The programs that the script can use. */
const PROGRAMS = [
  "awk",
  "cat",
  "chmod",
  "cmp",
  "curl",
  "cut",
  "env",
  "grep",
  "gzip",
  "head",
  "ldd",
  "ls",
  "mkdir",
  "mktemp",
  "mv",
  "openssl",
  "rm",
  "sed",
  "sha256sum",
  "sh",
  "tar",
  "tr",
  "uname",
  "wget",
];

/**
 * Runs install.sh from a release directory in a separate home directory, with only the given programs.
 *
 * @param locate returns the URL for a path that a test names.
 */
export function makeInstaller(folder: string, locate: (place: string) => string) {
  const prepareInstall = (
    place: string,
    args: readonly string[],
    { home, without = [], instead = {}, shell = "sh" }: Machine,
    env: Record<string, string> = {},
  ) => {
    const bin = join(home, "bin");
    rmSync(bin, { recursive: true, force: true });
    mkdirSync(bin);
    for (const name of PROGRAMS.filter((one) => !without.includes(one) && !(one in instead))) {
      const program = findProgram(name);
      if (program !== undefined) symlinkSync(program, join(bin, name));
    }
    for (const [name, text] of Object.entries(instead)) writeFileSync(join(bin, name), text, { mode: 0o755 });
    return {
      argv: [findProgram(shell) ?? shell, join(folder, "install.sh"), ...args],
      cwd: home,
      env: { HOME: home, PATH: bin, BRIDGE_HOOKS_URL: locate(place), BASH_ENV: "", ...env },
    };
  };
  const install = (...given: Parameters<typeof prepareInstall>) => {
    const { argv, ...options } = prepareInstall(...given);
    return run(argv, options);
  };
  /**
   * Returns what an attack on install.sh led to: the exit code, the last message, and every file in the home directory
   * except the programs.
   */
  const attack = async (...given: Parameters<typeof prepareInstall>) => {
    const { exit_code, stdout, stderr } = await install(...given);
    const last = stderr.trim().split("\n").at(-1) ?? "";
    const left = readdirSync(given[2].home, { recursive: true, encoding: "utf8" }).filter(
      (path) => !/^bin(\/|$)|^\.local(\/bin)?$/.test(path),
    );
    return { exit_code, stdout, last, left };
  };
  return { install, prepareInstall, attack };
}

/** What `attack` returns if nothing was installed. */
export const refusal = (message: RegExp) => ({
  exit_code: 1,
  stdout: "",
  last: expect.stringMatching(message),
  left: [],
});
