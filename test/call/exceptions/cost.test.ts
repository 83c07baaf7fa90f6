import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPayload } from "../../support/fixtures.ts";
import { starterBuild } from "../executable-support.ts";

const canTrace = (() => {
  try {
    return Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "true"]).success;
  } catch {
    return false;
  }
})();

/** Modules that must not load the list of all hosts. Only commands and scripts may load it. */
const HOT = /src\/call\/(?:answer|ask|call|conclude|ask\/dispatch|serve)\.ts$|src\/hosts\/(?!index\.ts$)|hooks\//;

describe("a call that no hook stops", () => {
  test("loads no exceptions module on any path", () => {
    const { outputs } = starterBuild.metafile;
    const isAbout = (input: string) => /src\/call\/exceptions\/|src\/author\/bind-call\.ts$/.test(input);
    const about = Object.entries(outputs).filter(([, { inputs }]) => Object.keys(inputs).some(isAbout));
    expect(about.length).toBeGreaterThan(1);
    const paths = about.map(([path]) => path);
    for (const [path, { inputs }] of about)
      expect([path, Object.keys(inputs).filter((input) => HOT.test(input))]).toEqual([path, []]);
    const importing = Object.entries(outputs).flatMap(([path, { imports, inputs }]) =>
      !paths.includes(path) && imports.some((one) => one.kind === "import-statement" && paths.includes(one.path))
        ? [Object.keys(inputs)]
        : [],
    );
    // Modules that import the list (such as the log, which runs after an answer) must not load on every call.
    for (const inputs of importing)
      expect(inputs.filter((input) => /src\/call\/(?:[a-z-]+|log\/concluded-call)\.ts$|hooks\//.test(input))).toEqual(
        [],
      );
  });

  test.skipIf(!canTrace)("makes no system call related to exceptions (if strace is installed)", () => {
    const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-cost-"));
    mkdirSync(join(folder, "project"));
    const trace = (command: string) => {
      const file = join(folder, "trace");
      const stdin = JSON.stringify(
        getPayload("claude", "PreToolUse-Bash", { tool_input: { command }, cwd: join(folder, "project") }),
      );
      Bun.spawnSync(["strace", "-f", "-qq", "-s", "400", "-o", file, starterBuild.outfile, "--host", "claude"], {
        stdin: Buffer.from(stdin),
        env: { PATH: process.env.PATH ?? "", HOME: folder },
      });
      const lines = readFileSync(file, "utf8").split("\n");
      return lines.filter(
        (line) => /passwd|bridge-hooks\/(?:exceptions|denied)/.test(line) && !/execve|write\(/.test(line),
      );
    };
    // The command is parsed in full, and no hook objects.
    expect(trace('git push origin "$(git branch --show-current)"')).toEqual([]);
    expect(trace("git push --force origin main").length).toBeGreaterThan(2);
    rmSync(folder, { recursive: true });
  });
});
