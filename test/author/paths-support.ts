import { afterAll, beforeAll } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "../../src/author/kit/paths.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";

export const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-paths-")));
export const home = join(root, "home");
export const work = join(root, "work");
export const before = process.env.HOME;
/** Names that mean the shell's own, whatever this process was given. */
export const SPECIAL: Record<string, string> = {
  _: "/x",
  SHLVL: "/x",
  UID: "/x",
  BASH_VERSION: "/x",
  LINENO: "/x",
  RANDOM: "/x",
  OLDPWD: "/x",
};
export const kept = { ...process.env };

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
symlinkSync(".env", join(work, "notes"));
symlinkSync(join(work, "other/deep"), join(work, "link"));
symlinkSync("nowhere/x", join(work, "broken"));
symlinkSync("loop", join(work, "loop"));
symlinkSync("b1", join(work, "b0"));
symlinkSync("../gone", join(work, "b1"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

/** While a file's tests run, this process has the home folder and the variables that the cases name. */
export function useEnvironment(): void {
  beforeAll(() => {
    process.env.HOME = home;
    Object.assign(process.env, SPECIAL);
  });
  afterAll(() => {
    process.env.HOME = before;
    for (const name in SPECIAL) {
      delete process.env[name];
      if (kept[name] !== undefined) process.env[name] = kept[name];
    }
  });
}

/** A use on one line, with W for the working folder and H for home. */
export const show = (event: unknown): string[] =>
  paths(event as AnyEvent).map(({ path, named, given, access, uncertain, wildcard, remote }) => {
    const short = (text: string) => text.replaceAll(work, "W").replaceAll(home, "H").replaceAll(root, "R");
    const name = named === path ? "" : ` named ${short(named)}`;
    return `${access} ${short(path)}${name} (${short(given)})${uncertain ? " uncertain" : ""}${wildcard ? " wildcard" : ""}${remote ? " remote" : ""}`;
  });
export const call = (tool: string, input: object, tool_name = tool) => ({
  event: "PreToolUse",
  tool,
  tool_name,
  cwd: work,
  input,
});
