import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completeWords, readWords } from "../../../src/cli/completion/complete.ts";
import { SHELLS } from "../../../src/cli/completion/scripts.ts";
import { createCli } from "../../../src/cli/main.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const definitions = createCli().definitions();
const complete = async (...words: string[]) =>
  (await completeWords(words, definitions, "zsh")).map(({ value }) => value);

/** A home directory that contains the executable under another name, as `build --name` would give it. */
const home = mkdtempSync(join(tmpdir(), "completion-"));
const folder = join(home, "bin of mine");
mkdirSync(folder);
const program = join(folder, "guard");
symlinkSync(EXECUTABLE, program);
writeFileSync(join(home, "a file.json"), "{}");
const run = (argv: string[]) => {
  const env = { HOME: home, PATH: `${folder}:/usr/bin:/bin`, LANG: "C.UTF-8", XDG_CONFIG_HOME: home };
  const { stdout, stderr, exitCode } = Bun.spawnSync(argv, { cwd: home, env });
  return { stdout: `${stdout}`, stderr: `${stderr}`, exitCode };
};

describe("without SHELL", () => {
  const complete = (shell: string | undefined, ...words: string[]) => {
    const env = { HOME: home, PATH: "/usr/bin:/bin", ...(shell !== undefined && { SHELL: shell }) };
    const { stdout, stderr, exitCode } = Bun.spawnSync([program, "completion", ...words], { cwd: home, env });
    return { stdout: `${stdout}`, stderr: `${stderr}`, exitCode };
  };
  test("the variable SHELL determines which script is printed", () => {
    for (const shell of ["bash", "zsh", "fish"])
      expect(complete(`/usr/bin/${shell}`)).toEqual({ ...complete(undefined, shell), exitCode: 0 });
  });
  test("the shells are listed if SHELL is unset or names none of them", () => {
    for (const shell of [undefined, "", "/bin/sh"])
      expect(complete(shell)).toEqual({
        stdout: "",
        stderr: expect.stringMatching(
          /completion: the shell in \$SHELL isn't supported; pass bash, zsh, fish or powershell, for example: .* completion bash\n$/,
        ),
        exitCode: 1,
      });
  });
});

describe("completion", () => {
  test("offers every command in the help, and no command that hosts call", async () => {
    const first = await complete("");
    const known = definitions
      .filter(({ category }) => category?.trim() !== "host")
      .map(({ path }) => path.split(" ")[1]);
    expect(new Set(first)).toEqual(new Set(known.filter((name) => !name?.startsWith("-")) as string[]));
    expect(first).not.toContain("serve");
    expect(await complete("config", "s")).toEqual(["show", "set", "schema"]);
    expect(await complete("help", "config", "s")).toEqual(["show", "set", "schema"]);
  });
  test("offers every option of every command once", async () => {
    let checked = 0;
    for (const { path, options } of definitions.filter(({ category }) => category?.trim() !== "host")) {
      const words = path.split(" ").slice(1);
      if (words[0]?.startsWith("-")) continue;
      const names = options.flatMap(({ definition }) => definition.split(" ")[0]?.split(",") ?? []);
      const found = await complete(...words, "-");
      expect([path, names.filter((name) => !found.includes(name))]).toEqual([path, []]);
      expect(found).toContain("--no-pager");
      checked += names.length;
    }
    expect(checked).toBeGreaterThan(100);
    expect(await complete("log", "--denied", "--den")).toEqual([]);
  });
  test("offers values that can be listed, and paths for values that are paths", async () => {
    expect(await complete("install", "--host", "")).toEqual([...hosts.map(({ id }) => id), "auto"]);
    expect(await complete("log", "--host=c")).toEqual(
      hosts.flatMap(({ id }) => (id.startsWith("c") ? `--host=${id}` : [])),
    );
    expect(await complete("config", "set", "--scope", "")).toEqual(["managed", "project", "user"]);
    expect(await complete("docs", "trouble")).toEqual(["troubleshooting"]);
    expect(await complete("report", "--color", "a")).toEqual(["auto", "always"]);
    expect(await complete("build", "--outfile", "")).toEqual([":files"]);
    expect(await complete("build", "--hooks", "")).toEqual([":folders"]);
    expect(await complete("test", "--", "")).toEqual([":files"]);
    expect(await complete("matrix", hosts[0]?.id ?? "", "")).toEqual([]);
    expect(await complete("unheard-of", "")).toEqual([]);
  });
  test("parses the words as each shell passes them", () => {
    expect(readWords(["log", "--host", "=", "cl"], "bash")).toEqual(["log", "--host", "cl"]);
    expect(readWords(["log", "--host", "="], "bash")).toEqual(["log", "--host", ""]);
    expect(readWords(["log", "."], "powershell")).toEqual(["log", ""]);
    expect(readWords(["log", ""], "fish")).toEqual(["log", ""]);
  });
});

test("the scripts are for the executable's own name, and an unknown shell is rejected", () => {
  for (const shell of SHELLS) {
    const { stdout, exitCode } = run([program, "completion", shell]);
    // Started through a link, the process sees only the link's target.
    expect([shell, exitCode, stdout.includes("bridge-hooks")]).toEqual([shell, 0, true]);
  }
  expect(run([program, "completion", "nushell"]).stderr).toContain(
    'unknown shell "nushell"; known: bash, zsh, fish, powershell',
  );
});

/** Runs a shell's completion script on a partly typed command line. `typed` is everything up to the cursor. */
const DRIVERS: Readonly<Record<string, (script: string, words: readonly string[]) => string[]>> = {
  bash: (script, words) => [
    "bash",
    "-c",
    `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
"$(complete -p guard | sed 's/.*-F \\([^ ]*\\).*/\\1/')" guard
printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, words) => [
    "zsh",
    "-fc",
    `compdef() { function_name=$1; }
_describe() { local one; for one in "\${(@P)\${@[-1]}}"; do print -r -- "\${one%%:*}"; done }
_files() { print -r -- "files $*"; }
${script}
words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}
$function_name`,
  ],
  fish: (script, words) => [
    "fish",
    "--no-config",
    "-c",
    `${script}
complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''`,
  ],
};

for (const [shell, drive] of Object.entries(DRIVERS))
  describe.skipIf(!Bun.which(shell))(`in ${shell}, if it is installed`, () => {
    const script = run([program, "completion", shell]).stdout.replaceAll("bridge-hooks", "guard");
    const type = (...words: string[]) => {
      const { stdout, stderr } = run(drive(script, ["guard", ...words]));
      expect(stderr).toBe("");
      return stdout.split("\n").filter(Boolean);
    };
    test("completes commands, options, values, and names from this executable's hooks", () => {
      expect(type("unin")).toEqual(["uninstall"]);
      expect(type("config", "un")).toEqual(["unset"]);
      expect(type("install", "--dry")).toEqual(["--dry-run"]);
      expect(type("install", "--host", "cli")).toEqual(["cline"]);
      expect(type("rules", "git/push-f")).toEqual(["git/push-force"]);
      expect(type("rules", "databas")).toContain("database");
      expect(type("matrix", "")).toEqual(
        shell === "fish" ? hosts.map(({ id }) => id).toSorted() : hosts.map(({ id }) => id),
      );
    });
    test("leaves paths to the shell", () => {
      const [first = ""] = type("config", "check", "a");
      expect(first.replaceAll("\\", "")).toBe(shell === "zsh" ? "files " : "a file.json");
    });
  });
