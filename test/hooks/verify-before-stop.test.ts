import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import verifyBeforeStop from "../../hooks/verify-before-stop.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { runHooks } from "../../src/call/ask/dispatch.ts";
import { answerCall } from "../support/answer-call.ts";
import { getPayload } from "../support/fixtures.ts";
import { validateOptions } from "../support/ask-hook.ts";
import { scaleMs, waitFor } from "../support/machine.ts";
import {
  scratch,
  createRepository,
  createSession,
  askAtStop,
  askAfterWrite,
  askAfterEdit,
  isChanged,
  MORE_TIME_ADVICE,
  useTestState,
} from "./verify-support.ts";

useTestState();

describe("verify-before-stop", () => {
  const outcomes = {
    pass: { command: "echo fine", answer: undefined },
    fail: {
      command: "echo broken; exit 3",
      answer: {
        decision: "deny",
        reason:
          'verify-before-stop: "echo broken; exit 3" failed (exit code 3).\n\nThe end of its output:\nbroken\n\nFix it before you stop.',
      },
    },
    late: {
      command: "echo slow; sleep 30",
      answer: {
        user_message: `verify-before-stop: "echo slow; sleep 30" timed out${MORE_TIME_ADVICE}\n\nThe end of its output:\nslow`,
      },
    },
  };
  let ran = 0;
  for (const [name, { command, answer }] of Object.entries(outcomes))
    for (const when of ["changed", "dirty", "always", undefined])
      for (const dirty of [false, true])
        for (const edited of [false, true]) {
          const runs = { changed: edited, dirty, always: true }[when ?? "changed"];
          // These tests spend most of their time waiting, so they run concurrently.
          const run = name === "late" ? test.concurrent : test;
          run(
            `${runs ? "runs" : "does not run"} the commands (${when ?? "default"}, ${dirty ? "dirty" : "clean"}, ${edited ? "edited" : "not edited"}, ${name})`,
            async () => {
              const root = createRepository();
              if (dirty) writeFileSync(join(root, "new.txt"), "");
              const session = createSession(root);
              const trace = join(root, ".git/trace");
              const options = {
                commands: [`touch ${trace}; ${command}`],
                ...(name === "late" && { timeoutMs: scaleMs(500) }),
                ...(when && { when }),
              };
              if (edited) expect(await askAfterWrite(session, join(root, "a.txt"), options)).toBeUndefined();
              const found = await askAtStop(session, options);
              const told = JSON.parse(JSON.stringify(found ?? null).replaceAll(`touch ${trace}; `, "")) ?? undefined;
              expect([existsSync(trace), told]).toEqual([runs, runs ? answer : undefined]);
              // A failed check runs again, but a passed one doesn't until the next edit.
              expect(isChanged(session)).toBe(edited && (when ?? "changed") === "changed" && name !== "pass");
              ran++;
            },
          );
        }
  test("is tested in all cases", () => expect(ran).toBe(48));
});

describe("verify-before-stop makes the agent continue", () => {
  let ran = 0;
  for (const attempts of [1, 2, 3, 4, 5, undefined])
    for (let continuations = 0; continuations < 7; continuations++) {
      const most = attempts ?? 3;
      test(`${continuations < most ? "again" : "no longer"} after ${continuations} continuations with ${attempts ?? "the default"} attempts`, async () => {
        const session = createSession(createRepository());
        const found = await askAtStop(
          session,
          { commands: ["exit 1"], when: "always", ...(attempts && { attempts }) },
          continuations,
        );
        const text = 'verify-before-stop: "exit 1" failed (exit code 1).';
        expect(found).toEqual(
          continuations < most
            ? { decision: "deny", reason: `${text}\n\nFix it before you stop.` }
            : {
                user_message: `${text}\n\nThe agent already continued ${continuations === 1 ? "once" : `${continuations} times`}, and now stops.`,
              },
        );
        ran++;
      });
    }
  test("is tested in all cases", () => expect(ran).toBe(42));
  test("up to its maxContinuations of 5", () => expect(verifyBeforeStop.maxContinuations).toBe(5));
  test("no longer if the commands pass at the last attempt", async () => {
    expect(
      await askAtStop(createSession(createRepository()), { commands: ["exit 0"], when: "always" }, 3),
    ).toBeUndefined();
  });
});

describe("verify-before-stop", () => {
  const root = createRepository();
  const other = createRepository();
  const beside = `${root}-beside`;
  mkdirSync(beside);
  symlinkSync(other, join(root, "out"));
  symlinkSync(root, join(other, "in"));
  writeFileSync(join(other, "file"), "");
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(other, "file"), join(root, "file-out"));
  const files = (...paths: string[]) => paths.map((file_path) => ({ file_path, operation: "update", edits: [] }));
  const cases: [name: string, tool: "Write" | "Edit", input: string | object[], counts: boolean, cwd?: string][] = [
    ["a file by its absolute path", "Write", join(root, "file"), true],
    ["a file by a path relative to the session's directory", "Write", "file", true],
    ["a new file", "Write", "new", true],
    ["a new file in a new directory", "Write", "new/er/file", true],
    ["a file in a directory below the session's directory", "Write", "file", true, join(root, "sub")],
    ["a file above the session's folder", "Write", "../file", true, join(root, "sub")],
    ["a file outside the root", "Write", join(other, "file"), false],
    ["a file above the root", "Write", "../elsewhere", false],
    ["a file in a directory whose name begins like the root", "Write", join(beside, "file"), false],
    ["a link that leads out", "Write", "file-out", false],
    ["a file through a link that leads out", "Write", "out/file", false],
    ["a file through a link that leads in", "Write", join(other, "in/file"), true],
    ["an edit", "Edit", files("file"), true],
    ["one of several edits", "Edit", files(join(other, "file"), "file"), true],
    ["an empty edit", "Edit", [], false],
    ["edits outside the root", "Edit", files(join(other, "file"), "../file"), false],
    ["a deletion", "Edit", [{ file_path: "gone", operation: "delete", edits: [] }], true],
    [
      "a deletion outside the root",
      "Edit",
      [{ file_path: join(other, "gone"), operation: "delete", edits: [] }],
      false,
    ],
    [
      "a file moved in",
      "Edit",
      [{ file_path: join(other, "x"), operation: "move", moved_to: join(root, "x"), edits: [] }],
      true,
    ],
    [
      "a file moved out",
      "Edit",
      [{ file_path: join(root, "x"), operation: "move", moved_to: join(other, "x"), edits: [] }],
      true,
    ],
    ["the root itself", "Write", root, false],
    ["a file in a session's folder that is a link", "Write", "new/file", true, join(other, "in")],
  ];
  for (const [name, tool, input, counts, cwd = root] of cases)
    test(`${counts ? "counts" : "does not count"} ${name}`, async () => {
      const session = createSession(cwd);
      const options = { commands: ["exit 1"] };
      if (tool === "Write") await askAfterWrite(session, input as string, options);
      else await askAfterEdit(session, input as object[], options);
      expect(isChanged(session)).toBe(counts);
      expect((await askAtStop(session, options))?.decision).toBe(counts ? "deny" : (undefined as never));
    });
  test("counts only edits in its session", async () => {
    const options = { commands: ["exit 1"] };
    await askAfterWrite(createSession(root), "file", options);
    expect(await askAtStop(createSession(root), options)).toBeUndefined();
  });
  test("counts an edit while the commands run at the next stop", async () => {
    const root = createRepository();
    const session = createSession(root);
    const [begun, go] = ["begun", "go"].map((name) => join(root, ".git", name)) as [string, string];
    const options = { commands: [`touch ${begun}; until [ -e ${go} ]; do sleep 0.01; done`] };
    await askAfterWrite(session, "a", options);
    const running = askAtStop(session, options);
    await waitFor(() => existsSync(begun), "the command");
    await askAfterWrite(session, "b", options);
    writeFileSync(go, "");
    expect(await running).toBeUndefined();
    expect(isChanged(session)).toBe(true);
    expect(await askAtStop(session, options)).toBeUndefined();
    expect(isChanged(session)).toBe(false);
  });
  test("records no edit if `when` is not `changed`, or without commands", async () => {
    const session = createSession(root);
    for (const when of ["dirty", "always"]) await askAfterWrite(session, "file", { commands: ["exit 1"], when });
    await askAfterWrite(session, "file", { commands: [] });
    await askAfterWrite(session, "file", {});
    expect(isChanged(session)).toBe(false);
  });
});

describe("verify-before-stop", () => {
  const root = createRepository();
  const parent = dirname(root);
  const cases: [folders: string[], runs: boolean][] = [
    [[root], true],
    [["/nowhere", root], true],
    [[`${parent}/*`], true],
    [[`${parent}/**`], true],
    [[`${parent}/r[0-9]*`], true],
    [[`${parent}/{x,${basename(root)}}`], true],
    [[], false],
    [[parent], false],
    [[`${root}/*`], false],
    [["~/*"], false],
    [["*"], false],
    [[basename(root)], false],
  ];
  for (const [folders, runs] of cases)
    for (const cwd of [root, join(root, "sub")])
      test(`${runs ? "runs" : "does not run"} with directories ${JSON.stringify(folders).replaceAll(parent, "…")} from ${cwd === root ? "the root" : "below it"}`, async () => {
        const options = { commands: ["exit 1"], when: "always", folders };
        expect((await askAtStop(createSession(cwd), options))?.decision).toBe(runs ? "deny" : (undefined as never));
      });
  test("runs in the session's directory without a repository", async () => {
    const folder = join(scratch, "plain");
    mkdirSync(folder);
    const options = { commands: ["exit 1"], when: "always", folders: [folder] };
    expect((await askAtStop(createSession(folder), options))?.decision).toBe("deny");
  });
  test("does not run without a directory or in a missing one", async () => {
    for (const cwd of ["", "/nowhere/at/all"])
      expect(await askAtStop(createSession(cwd), { commands: ["exit 1"], when: "always" })).toBeUndefined();
  });
});

describe("verify-before-stop", () => {
  const root = createRepository();
  const FIX = "\n\nFix it before you stop.";
  const cases: [name: string, commands: string[], expected: string | undefined][] = [
    ["prints nothing", ["exit 2"], '"exit 2" failed (exit code 2).'],
    [
      "prints on stderr",
      ["echo no >&2; exit 1"],
      '"echo no >&2; exit 1" failed (exit code 1).\n\nThe end of its output:\nno',
    ],
    [
      "prints on both streams, in order",
      ["echo 1; echo 2 >&2; echo 3; exit 1"],
      '"echo 1; echo 2 >&2; echo 3; exit 1" failed (exit code 1).\n\nThe end of its output:\n1\n2\n3',
    ],
    [
      "prints in colors",
      ["printf '\\033[31mred\\033[0m'; exit 1"],
      `"printf '\\033[31mred\\033[0m'; exit 1" failed (exit code 1).\n\nThe end of its output:\nred`,
    ],
    [
      "prints more than 4000 characters",
      ["seq 1 2000; exit 1"],
      `"seq 1 2000; exit 1" failed (exit code 1).\n\nThe end of its output:\n… ${Array.from({ length: 800 }, (_, at) => 1201 + at).join("\n")}`,
    ],
    [
      "prints one long line",
      ["printf '%9000s' | tr ' ' x; exit 1"],
      `"printf '%9000s' | tr ' ' x; exit 1" failed (exit code 1).\n\nThe end of its output:\n… ${"x".repeat(4_000)}`,
    ],
    [
      "is the first of several to fail",
      ["true", "echo a; false", "echo never; touch never"],
      '"echo a; false" failed (exit code 1).\n\nThe end of its output:\na',
    ],
    [
      "does not exist",
      ["no-such-program-at-all 2>/dev/null"],
      '"no-such-program-at-all 2>/dev/null" failed (exit code 127).',
    ],
    ["has a comment after it", ["exit 4 # why"], '"exit 4 # why" failed (exit code 4).'],
    ["a signal ends", ["kill -9 $$"], '"kill -9 $$" failed (exit code 137).'],
    ["checks that it runs in the root", [`[ "$PWD" = "${root}" ]`], undefined],
    ["passes", ["true", "true && test 1 = 1", "cat"], undefined],
  ];
  for (const [name, commands, expected] of cases)
    test(`${expected === undefined ? "does not report" : "reports"} a command that ${name}`, async () => {
      const found = await askAtStop(createSession(join(root, "sub")), { commands, when: "always" });
      expect(found).toEqual(
        expected === undefined ? undefined : { decision: "deny", reason: `verify-before-stop: ${expected}${FIX}` },
      );
      expect(existsSync(join(root, "never"))).toBe(false);
    });
});

describe("verify-before-stop does nothing with the options", () => {
  for (const options of [{}, { commands: [] }, { when: "always" }, { commands: [], when: "dirty", folders: ["/"] }])
    test(JSON.stringify(options), async () => {
      const session = createSession(createRepository());
      expect(await askAfterWrite(session, "a", options)).toBeUndefined();
      expect(await askAtStop(session, options)).toBeUndefined();
      expect(isChanged(session)).toBe(false);
    });
});

describe("verify-before-stop rejects", () => {
  const wrong: object[] = [
    { commands: "npm test" },
    { commands: [""] },
    { commands: [" "] },
    { commands: [["npm", "test"]] },
    { when: "edited" },
    { folders: "~" },
    { attempts: 0 },
    { attempts: 6 },
    { attempts: 1.5 },
    { timeoutMs: 0 },
    { timeoutMs: "5" },
    { command: "npm test" },
  ];
  for (const options of wrong)
    test(`the options ${JSON.stringify(options)}`, () =>
      expect(validateOptions(verifyBeforeStop, options)).rejects.toThrow());
});

describe("verify-before-stop in a cloned project", () => {
  test("runs nothing that the project's config names", async () => {
    const root = createRepository();
    const mark = join(root, "foreign-code-ran");
    const commands = [`touch ${mark}; exit 1`];
    writeFileSync(
      join(root, ".bridge-hooks.json"),
      JSON.stringify({ hooks: { "verify-before-stop": { commands, folders: ["**"], when: "always" } } }),
    );
    const event = {
      ...createSession(root),
      event: "Stop",
      continuations: 0,
      native_event: "Stop",
      _native: {},
    } as never;
    const [outcome] = await runHooks(
      [createHookEntry(verifyBeforeStop, "verify-before-stop")],
      event,
      performance.now() + scaleMs(4_000),
    );
    expect([outcome?.failure, outcome?.response, existsSync(mark)]).toEqual([undefined, {}, false]);
  });
});

test("verify-before-stop in a real call makes the agent continue once, then lets it stop", async () => {
  const root = createRepository();
  const hook = {
    ...verifyBeforeStop,
    options: undefined,
    handler: (event: never, context: object) => verifyBeforeStop.handler(event, { ...context, options } as never),
  };
  const options = { commands: ["echo broken; exit 1"], when: "always", attempts: 1, timeoutMs: scaleMs(3_000) };
  const args = ["--host", "claude", "--timeout-ms", String(scaleMs(4_000))];
  const call = async (stop_hook_active: boolean) => {
    const payload = getPayload("claude", "Stop", { cwd: root, session_id: "real", stop_hook_active });
    const env = { XDG_STATE_HOME: join(scratch, "state"), LOCALAPPDATA: join(scratch, "state") };
    return answerCall([createHookEntry(hook as never, "verify-before-stop")], {}, args, {
      env,
      read: () => payload,
    });
  };
  const text = 'verify-before-stop: "echo broken; exit 1" failed (exit code 1).\n\nThe end of its output:\nbroken\n\n';
  const first = await call(false);
  expect(JSON.parse(first.stdout)).toEqual({ decision: "block", reason: `${text}Fix it before you stop.` });
  const second = await call(true);
  expect(JSON.parse(second.stdout)).toEqual({
    systemMessage: `${text}The agent already continued once, and now stops.`,
  });
});

describe("verify-before-stop", () => {
  test("detects a shell command's changes only with when: dirty", async () => {
    const root = createRepository();
    const session = createSession(root);
    const bash = {
      ...session,
      event: "PostToolUse",
      tool: "Bash",
      tool_name: "Bash",
      input: { command: "touch new.txt" },
    };
    expect(verifyBeforeStop.tool).toEqual(["Edit", "Write"]);
    writeFileSync(join(root, "new.txt"), bash.input.command);
    expect(await askAtStop(session, { commands: ["exit 1"] })).toBeUndefined();
    expect((await askAtStop(session, { commands: ["exit 1"], when: "dirty" }))?.decision).toBe("deny");
  });
  test("does not run when a subagent ends", () => expect(verifyBeforeStop.event).toEqual(["Stop", "PostToolUse"]));
});
