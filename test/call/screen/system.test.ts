import { afterAll, describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openModuleSystem } from "../../../src/system/module-system.ts";
import { openQuickSystem, SYSTEM_VARIABLE } from "../../../src/system/quick-system.ts";
import { EXECUTABLE, getPayload } from "../../support/fixtures.ts";

// The directory's name must not contain the product's name, which would trigger `protect-hooks`.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "quick-look-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, ".config");
writeFileSync(file, "");
const project = join(folder, "app");
mkdirSync(project);
const home = join(folder, "home");
mkdirSync(home);

describe.skipIf(process.platform !== "linux")(
  "the file system, read through the C library and through node:fs,",
  () => {
    const systems = [openQuickSystem(), openModuleSystem()];

    test("reports no path as absent if its state is unknown", () => {
      for (const system of systems) {
        const kindOf = (path: string) => system?.inspect(path).kind;
        expect(kindOf(file)).toBe("file");
        expect(kindOf(join(folder, "x"))).toBe("absent");
        expect(kindOf(join(folder, "x".repeat(300)))).toBe("absent");
        expect(kindOf(join(file, "x"))).toBe("absent");
        expect(kindOf(`/${"x/".repeat(3000)}`)).toBe("other");
      }
    });

    test("gives the same results for links, hard links, mount points and devices", () => {
      symlinkSync(file, join(folder, "link"));
      writeFileSync(join(folder, "one"), "text");
      linkSync(join(folder, "one"), join(folder, "two"));
      const paths = ["/", "/proc", "/dev", "/dev/null", "/etc", "/proc/self", "/dev/shm", "/usr/bin", process.execPath];
      for (const path of [...paths, ...["link", "one", "app", ".config"].map((name) => join(folder, name))]) {
        const [first, second] = systems.map((system) => system?.inspect(path));
        expect([path, second?.kind, second?.size]).toEqual([path, first?.kind, first?.size]);
      }
      expect(systems.map((system) => system?.inspect("/proc").kind)).toEqual(["mount", "mount"]);
      expect(systems.map((system) => system?.readFile(join(folder, "one"), 4))).toEqual(["text", "text"]);
      expect(systems.map((system) => system?.readFile(join(folder, "one"), 3))).toEqual([undefined, undefined]);
      expect(systems.map((system) => system?.readFile(join(folder, "link"), 0))).toEqual([undefined, undefined]);
    });

    test("gives the same answer to a call", () => {
      const text = (command: string) =>
        JSON.stringify(getPayload("claude", "PreToolUse-Bash", { cwd: project, tool_input: { command } }));
      const large = `echo ${"x".repeat(200_000)}`;
      for (const command of ["npm test", "rm -rf /", "echo $HOME", large]) {
        const answers = ["", "module"].map((value) => {
          const { exitCode, stdout, stderr } = Bun.spawnSync([EXECUTABLE, "--host", "claude"], {
            stdin: Buffer.from(text(command)),
            env: { HOME: home, PATH: "/usr/bin:/bin", [SYSTEM_VARIABLE]: value },
            cwd: project,
          });
          return [exitCode, stdout.toString(), stderr.toString()];
        });
        expect(answers[1]).toEqual(answers[0] as (string | number)[]);
      }
    });
  },
);

test("a config path below a file is absent, for plain commands and for other commands", () => {
  const payload = (command: string) =>
    getPayload("claude", "PreToolUse-Bash", { cwd: project, tool_input: { command } });
  const codes = ["npm test", "echo $X"].map(
    (command) =>
      Bun.spawnSync([EXECUTABLE, "--host", "claude"], {
        stdin: Buffer.from(JSON.stringify(payload(command))),
        env: { HOME: folder, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(folder, "state") },
        cwd: project,
      }).exitCode,
  );
  expect(codes).toEqual([0, 0]);
});
