import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, posix, resolve, win32 } from "node:path";
import { findProgram } from "../../hosts/find-program.ts";
import { isSameFile } from "../../hosts/follow-links.ts";
import { readOutput } from "../../hosts/run-program.ts";
import type { Env } from "../../protocol/host/host.ts";
import type { InstallScope, MachineContext } from "../../protocol/host/install.ts";
import { removeLeftoverFile, replaceFile } from "../../system/replace-file.ts";
import { entries } from "../../call/built/hooks.ts";
import { isOwnImage } from "../../system/own-image.ts";
import { replaceExecutable } from "../../operate/executable/replace-executable.ts";
import { recordExecutableCopy } from "../../operate/machine/copies.ts";
import { DEFAULT_PROGRAM_PATHS } from "../../operate/mdm/programs.ts";

/** A copy of this executable that entries will call. */
export interface ExecutableCopy {
  from: string;
  to: string;
  /** Whether an identical copy exists already. */
  exists: boolean;
  /** Whether a shell finds the copy by name. */
  onPath: boolean;
}

/** Whether an executable's path shows that a package manager could remove or replace it. */
export const isInPackageFolder = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file);

/** Returns the platform's directory for programs: the user's, or the machine's for the managed scope. */
export function findProgramsFolder({ platform, env, home }: MachineContext, scope: InstallScope): string {
  if (scope === "managed") {
    const system = platform === "win32" ? "windows" : platform === "darwin" ? "macos" : "linux";
    return (platform === "win32" ? win32 : posix).dirname(DEFAULT_PROGRAM_PATHS[system]);
  }
  if (platform !== "win32") return join(home, ".local/bin");
  return win32.join(env.LOCALAPPDATA ?? win32.join(home, "AppData\\Local"), "Programs\\bridge-hooks");
}

/**
 * Plans to copy an executable to a directory.
 * @throws Error if another program, or an executable with its own hooks, is in the way. Neither is overwritten.
 */
export function planCopy(source: string, folder: string, { env }: MachineContext): ExecutableCopy {
  if (folder === "") throw new Error("--copy-to must not be empty; pass a directory");
  const to = join(resolve(folder), basename(source));
  const onPath = isOnPath(to, env.PATH ?? "");
  if (!existsSync(to)) return { from: source, to, exists: false, onPath };
  if (isSameFile(source, to) || isSameContent(source, to)) return { from: source, to, exists: true, onPath };
  if (!isOwnImage(to))
    throw new Error(`${to} exists and is not a bridge-hooks executable; pass another directory with --copy-to`);
  const lostHooks = listOwnHooks(to)?.filter((name) => !entries.some((entry) => entry.name === name));
  if (lostHooks === undefined || lostHooks.length > 0)
    throw new Error(
      `${to} has hooks that this executable lacks${lostHooks ? ` (${lostHooks.join(", ")})` : ""}; pass another directory with --copy-to`,
    );
  return { from: source, to, exists: false, onPath };
}

/** Whether a shell finds a file by name, or would once the file exists. */
function isOnPath(file: string, path: string): boolean {
  const program = findProgram(basename(file), { path });
  if (program !== undefined && existsSync(file)) return isSameFile(program, file);
  return path.split(process.platform === "win32" ? ";" : ":").includes(dirname(file));
}

const isSameContent = (file: string, otherFile: string): boolean =>
  statSync(file).size === statSync(otherFile).size && readFileSync(file).equals(readFileSync(otherFile));

/** Lists an executable's hooks other than starter hooks. Returns undefined if the executable doesn't answer. */
function listOwnHooks(file: string): string[] | undefined {
  try {
    const { stdout } = readOutput({
      argv: [file, "list", "--json"],
      cwd: dirname(file),
      env: process.env,
      timeout: 5_000,
    });
    const { hooks } = JSON.parse(stdout) as { hooks: { name: string; origin?: string }[] };
    return hooks.flatMap(({ name, origin }) => (origin === "starter" ? [] : [name]));
  } catch {
    return undefined;
  }
}

/** @throws Error if the directory isn't writable; existing files then stay unchanged. */
export function copyExecutable({ from, to, exists: there }: ExecutableCopy, env: Env): void {
  if (there) return;
  const folder = dirname(to);
  try {
    mkdirSync(folder, { recursive: true });
    const draft = mkdtempSync(join(folder, ".bridge-hooks-"));
    try {
      const file = join(draft, basename(to));
      replaceFile(file, readFileSync(from), { mode: 0o755, durable: true });
      chmodSync(file, 0o755);
      replaceExecutable(file, to);
    } finally {
      removeLeftoverFile(draft);
    }
  } catch (error) {
    throw new Error(
      `the executable can't be copied to ${folder} (${(error as NodeJS.ErrnoException).code}); pass another directory with --copy-to`,
    );
  }
  recordExecutableCopy(env, to);
}
