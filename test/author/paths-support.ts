import { afterAll, beforeAll } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "../../src/author/kit/paths.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";

export const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-paths-")));
export const home = join(root, "home");
export const workFolder = join(root, "work");
export const homeBefore = process.env.HOME;
/** Variables that a shell sets itself, set to wrong values in this process. */
export const SHELL_VARIABLES: Record<string, string> = {
  _: "/x",
  SHLVL: "/x",
  UID: "/x",
  BASH_VERSION: "/x",
  LINENO: "/x",
  RANDOM: "/x",
  OLDPWD: "/x",
};
export const environmentBefore = { ...process.env };

for (const folder of ["home/.ssh", "work/sub", "work/other/deep", "work/.agent", "work/a b"])
  mkdirSync(join(root, folder), { recursive: true });
for (const file of [
  "work/.env",
  "work/.env.local",
  "work/a.ts",
  "work/b.ts",
  "work/sub/c.ts",
  "work/key",
  "home/.ssh/id",
])
  writeFileSync(join(root, file), "");
symlinkSync(".env", join(workFolder, "notes"));
symlinkSync(join(workFolder, "other/deep"), join(workFolder, "link"));
symlinkSync("nowhere/x", join(workFolder, "broken"));
symlinkSync("loop", join(workFolder, "loop"));
symlinkSync("b1", join(workFolder, "b0"));
symlinkSync("../gone", join(workFolder, "b1"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

/** Sets the home directory and the variables used by the cases, for all tests in a file. */
export function useEnvironment(): void {
  beforeAll(() => {
    process.env.HOME = home;
    Object.assign(process.env, SHELL_VARIABLES);
  });
  afterAll(() => {
    process.env.HOME = homeBefore;
    for (const name in SHELL_VARIABLES) {
      delete process.env[name];
      if (environmentBefore[name] !== undefined) process.env[name] = environmentBefore[name];
    }
  });
}

/**
 * Formats each file access as one line, with W for the working directory, H for the home directory and R for the
 * directory that contains both.
 */
export const formatUses = (event: unknown): string[] =>
  paths(event as AnyEvent).map(({ path, named, given, access, uncertain, wildcard, remote }) => {
    const short = (text: string) => text.replaceAll(workFolder, "W").replaceAll(home, "H").replaceAll(root, "R");
    const name = named === path ? "" : ` named ${short(named)}`;
    return `${access} ${short(path)}${name} (${short(given)})${uncertain ? " uncertain" : ""}${wildcard ? " wildcard" : ""}${remote ? " remote" : ""}`;
  });
export const createCall = (tool: string, input: object, tool_name = tool) => ({
  event: "PreToolUse",
  tool,
  tool_name,
  cwd: workFolder,
  input,
});
