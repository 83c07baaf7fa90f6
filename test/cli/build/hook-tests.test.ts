import { describe, expect, test } from "bun:test";
import { folder, executable, GOOD_HOOK, runProgram, createFolder, expectNothingLeft } from "./project-support.ts";

describe("bridge-hooks test", () => {
  const files = {
    "hooks/guard.ts": GOOD_HOOK,
    "hooks/guard.test.ts": `import { expect, test } from "bun:test";
import { deny } from "bridge-hooks";
import { simulate } from "bridge-hooks/testing";
import * as v from "valibot";
import { string } from "zod/mini";
import hook from "./guard.ts";

test("it denies", async () => {
  expect(string().parse(v.parse(v.string(), "x"))).toBe("x");
  expect(hook.handler({} as never, {} as never)).toEqual(deny("mine"));
  expect(typeof simulate).toBe("function");
});
test("it has a state of its own", () => {
  expect([process.env.XDG_STATE_HOME?.startsWith(process.env.TMPDIR!), process.env.BUN_BE_BUN]).toEqual([true, undefined]);
});
`,
    "hooks/deep/other.spec.js": 'import { test } from "bun:test";\ntest("other", () => {});\n',
    "hooks/node_modules/x/x.test.ts": "throw 1;\n",
    "elsewhere.test.ts": "throw 1;\n",
  };

  test("exits with code 0 if the hooks' tests pass", async () => {
    const { code, stdout, stderr } = await runProgram(executable, ["test"], { cwd: createFolder(files) });
    expect([code, stdout]).toEqual([0, "bun test v1.4.5 (a7733435c)\n"]);
    expect(stderr).toContain("(pass) it denies");
    expect(stderr).toContain("\n 3 pass\n 0 fail\n");
    expect(`${stdout}${stderr}`).not.toContain("\u001b");
  });
  test("exits with code 1, and names the line, if a test fails", async () => {
    const { code, stderr } = await runProgram(executable, ["test", "."], {
      cwd: createFolder({ ...files, "hooks/guard.ts": GOOD_HOOK.replace("mine", "yours") }),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("(fail) it denies")]);
    expect(stderr).toContain("hooks/guard.test.ts:10:");
  });
  test("accepts another directory, test names, and flags of bun test", async () => {
    const { code, stderr } = await runProgram(executable, ["test", createFolder(files), "--", "-t", "it denies"], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining(" 1 pass\n")]);
  });
  const wrong: [args: string[], message: string][] = [
    [
      [],
      "no tests found: no *.test.ts or *.spec.ts in $CWD; write a.test.ts as $BRIDGE docs testing shows, or add -- --pass-with-no-tests",
    ],
    [["nowhere"], "no such directory: nowhere"],
    [["-t", "x"], 'unexpected argument "-t"; pass flags for bun test after --, see $BRIDGE test --help'],
    [["a", "b"], 'unexpected argument "b"; pass flags for bun test after --, see $BRIDGE test --help'],
  ];
  for (const [args, message] of wrong) {
    test(`fails for ${args.join(" ") || "a folder without tests"}`, async () => {
      const cwd = createFolder({ "a.ts": GOOD_HOOK });
      const result = await runProgram(executable, ["test", ...args], { cwd });
      expect(result).toEqual({
        code: 1,
        stdout: "",
        stderr: `bridge-hooks: ${message.replace("$CWD", cwd).replace("$BRIDGE", executable)}\n`,
      });
    });
  }
});

test("with --pass-with-no-tests, bridge-hooks test succeeds in a directory without tests", async () => {
  const cwd = createFolder({ "a.ts": GOOD_HOOK });
  const { code, stderr } = await runProgram(executable, ["test", "--", "--pass-with-no-tests"], { cwd });
  expect([code, stderr]).toEqual([0, `bridge-hooks: no tests found: no *.test.ts or *.spec.ts in ${cwd}\n`]);
});

test("bridge-hooks test leaves nothing in temporary directories", expectNothingLeft);
