import { describe, expect, setSystemTime, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runHookCall } from "../../../src/author/testing/call.ts";
import { collectExceptions } from "../../../src/operate/policy/exceptions.ts";
import { removeExceptions } from "../../../src/cli/allow/make.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { ask, deny } from "../../../src/index.ts";
import { createHookEntry, type HookDescriptor } from "../../../src/protocol/hook.ts";
import { findOwnHome, setOwnHome } from "../../../src/call/exceptions/account-home.ts";
import { loadExceptions } from "../../../src/call/exceptions/record.ts";
import { parseStdout } from "../../hosts/facts.ts";
import { getPayload, ROOT } from "../../support/fixtures.ts";
import { findAllowId } from "../../support/allow-id.ts";
import { type Account, allowCall, answer, callClaude, callShell, createAccount, HOOKS } from "./support.ts";

const PUSH = "git push --force origin main";
const hook = (name: string, handler: () => unknown, more: object = {}): HookDescriptor =>
  createHookEntry({ event: ["PreToolUse", "PermissionRequest"], handler, ...more } as never, name);

/** Makes a call as if a few seconds had passed. */
async function callLater<Result>(call: () => Promise<Result>): Promise<Result> {
  setSystemTime(Date.now() + 3_000);
  try {
    return await call();
  } finally {
    setSystemTime();
  }
}

/** Runs a denied call, allows it, and returns the outcome of the next call. */
async function denyAndAllow(command: string, account: Account, change: () => void = () => {}): Promise<string> {
  expect((await callClaude(command, account)).decision).toBe("deny");
  await allowCall(account);
  change();
  return (await callClaude(command, account)).decision;
}

describe("an exception for a denied call", () => {
  for (const { id } of hosts)
    test(`on ${id} allows the call once, and its ID is not shown to the model`, async () => {
      const account = createAccount();
      const denied = await callShell(id, PUSH, account);
      expect(denied.decision).toBe("deny");
      const name = denied.concluded?.deniedCall?.id ?? "";
      expect(name).toMatch(/^[a-z0-9]{8}$/);
      // The ID appears only in a message that, according to the table, the model doesn't read.
      const { [ID_FIELDS[id] ?? ""]: shown = "", ...rest } = (parseStdout(denied.stdout) ?? {}) as Record<
        string,
        string
      >;
      expect([findAllowId(shown), JSON.stringify(rest).includes(name), denied.stderr.includes(name)]).toEqual([
        ID_FIELDS[id] ? name : undefined,
        false,
        false,
      ]);
      await allowCall(account, { once: true });
      const passed = await callShell(id, PUSH, account);
      expect([passed.decision, passed.exit_code, passed.restricts ?? false]).toEqual(["none", 0, false]);
      expect(passed.concluded?.outcomes.flatMap(({ allowed }) => allowed?.by ?? [])).toEqual([name]);
      // A second entry for the same call gets the same answer, but a call made later is a separate call.
      expect((await callShell(id, PUSH, account)).decision).toBe("none");
      expect((await callLater(() => callShell(id, PUSH, account))).decision).toBe("deny");
    });
  const ID_FIELDS: Readonly<Record<string, string>> = {
    pi: "message",
    claude: "systemMessage",
    gemini: "systemMessage",
    opencode: "message",
  };
});

describe("an exception applies", () => {
  test("to exactly the denied call, and not to another command, option, directory or host", async () => {
    const account = createAccount();
    expect(await denyAndAllow(PUSH, account)).toBe("none");
    for (const other of [`${PUSH} `, `${PUSH}:x`, `cd . && ${PUSH}`, "git push --force origin other"])
      expect([other, (await callClaude(other, account)).decision]).toEqual([other, "deny"]);
    const description = getPayload("claude", "PreToolUse-Bash").tool_input as object;
    const changed = { ...description, command: PUSH, run_in_background: true };
    expect((await callClaude(PUSH, account, { tool_input: changed })).decision).toBe("deny");
    mkdirSync(join(account.project, "sub"));
    expect((await callClaude(PUSH, account, { cwd: join(account.project, "sub") })).decision).toBe("deny");
    expect((await callShell("codex", PUSH, account)).decision).toBe("deny");
    expect((await callClaude(PUSH, account, { session_id: "another" })).decision).toBe("none");
  });
  test("while a script that the call runs is unchanged, and becomes void otherwise", async () => {
    const account = createAccount();
    const script = join(account.project, "clean.sh");
    writeFileSync(script, "echo tidy");
    const line = `sh clean.sh && ${PUSH}`;
    expect(await denyAndAllow(line, account)).toBe("none");
    writeFileSync(script, "echo evil");
    expect((await callClaude(line, account)).decision).toBe("deny");
    expect((await collectExceptions()).exceptions.map(({ state, why }) => [state, why])).toEqual([
      ["void", `${script} has changed`],
    ]);
    writeFileSync(script, "echo tidy");
    expect((await callClaude(line, account)).decision).toBe("none");
  });
  test("although words that might be passwords, because they name no existing file, are not stored", async () => {
    const account = createAccount();
    const script = join(account.project, "clean.sh");
    writeFileSync(script, "echo tidy");
    const line = `sh clean.sh; xfreerdp /u:a /p:hunter2 /v:h; sqlplus scott/hunter2@db; ${PUSH}`;
    expect(await denyAndAllow(line, account)).toBe("none");
    const [record] = loadExceptions().records;
    expect(record?.call?.files.map(({ named }) => named)).toEqual([script]);
    expect(JSON.stringify(record)).not.toContain("hunter2");
    expect((await callClaude(line.replace("hunter2", "hunter3"), account)).decision).toBe("deny");
  });
  test("while a link named in the call points to the same directory", async () => {
    const account = createAccount();
    for (const name of ["a", "b"]) mkdirSync(join(account.home, name));
    const link = join(account.project, "out");
    symlinkSync(join(account.home, "a"), link);
    const line = `cp x out/ ; ${PUSH}`;
    const swap = () => {
      rmSync(link);
      symlinkSync(join(account.home, "b"), link);
    };
    expect(await denyAndAllow(line, account, swap)).toBe("deny");
  });
  test("while git's branch is at the same commit", async () => {
    const account = createAccount();
    const git = (path: string, text: string) => {
      mkdirSync(join(account.project, ".git/refs/heads"), { recursive: true });
      writeFileSync(join(account.project, ".git", path), text);
    };
    for (const name of ["objects", "refs"]) mkdirSync(join(account.project, ".git", name), { recursive: true });
    git("HEAD", "ref: refs/heads/main\n");
    git("refs/heads/main", `${"a".repeat(40)}\n`);
    expect(await denyAndAllow(PUSH, account, () => git("refs/heads/main", `${"b".repeat(40)}\n`))).toBe("deny");
  });
  test("with --project in the project, and not outside it", async () => {
    const account = createAccount();
    await callClaude(PUSH, account);
    await allowCall(account, { isInProject: true });
    const sub = join(account.project, "sub");
    mkdirSync(sub);
    // This repository is empty, so its root is the directory itself.
    mkdirSync(join(account.project, ".git/objects"), { recursive: true });
    expect((await callClaude(PUSH, account)).decision).toBe("none");
    expect((await callClaude(PUSH, account, { cwd: account.home })).decision).toBe("deny");
  });
  test("to the verdict that stopped the call, and not to a later verdict", async () => {
    const account = createAccount();
    const line = `${PUSH}; rm -rf /etc`;
    const first = await callClaude(line, account);
    await allowCall(account);
    const second = await callClaude(line, account);
    const rules = [first, second].map(({ concluded }) => concluded?.response.rule);
    expect(new Set(rules)).toEqual(new Set(["git/push-force", "filesystem/rm-recursive"]));
    await allowCall(account);
    expect((await callClaude(line, account)).decision).toBe("none");
    removeExceptions(({ id }) => id === first.concluded?.deniedCall?.id);
    expect((await callClaude(line, account)).decision).toBe("deny");
  });
  test("to a hook's denial with the same reason, and not to a denial with a different reason", async () => {
    const account = createAccount();
    let reason = "not today";
    const entries = [hook("mine", () => deny(reason)), hook("asking", () => ask("sure?"))];
    expect((await callClaude("ls", account, { entries })).decision).toBe("deny");
    await allowCall(account);
    expect((await callClaude("ls", account, { entries })).decision).toBe("none");
    reason = "and not tomorrow";
    expect((await callClaude("ls", account, { entries })).decision).toBe("deny");
  });
  test("until it expires, and is then listed as expired", async () => {
    const account = createAccount();
    await callClaude(PUSH, account);
    const end = Date.now() + 60_000;
    await allowCall(account, { end });
    expect((await callClaude(PUSH, account)).decision).toBe("none");
    setSystemTime(end + 1);
    try {
      expect((await callClaude(PUSH, account)).decision).toBe("deny");
      expect((await collectExceptions()).exceptions.map(({ state }) => state)).toEqual(["ended"]);
    } finally {
      setSystemTime();
    }
  });
});

describe("an exception for a rule", () => {
  test("applies everywhere or in one project, and not to other rules", async () => {
    const account = createAccount();
    await allowCall(account, { rule: "git/push-force", project: account.project });
    expect((await callClaude(PUSH, account)).decision).toBe("none");
    expect((await callClaude(PUSH, account, { cwd: account.home })).decision).toBe("deny");
    expect((await callClaude(`${PUSH}; rm -rf /etc`, account)).concluded?.response.rule).toBe(
      "filesystem/rm-recursive",
    );
    await allowCall(account, { rule: "git/push-force" });
    expect((await callClaude(PUSH, account, { cwd: account.home })).decision).toBe("none");
  });
});

describe("an exception does not apply", () => {
  test("to the guard of bridge-hooks' own files, whether it is for a call, for a rule or a pause", async () => {
    const account = createAccount();
    const line = "bridge-hooks uninstall";
    const denied = await callClaude(line, account);
    expect([denied.decision, denied.concluded?.deniedCall]).toEqual(["deny", undefined]);
    await allowCall(account, { rule: "hooks/switch-off" });
    await allowCall(account, { pause: true });
    expect((await callClaude(line, account)).decision).toBe("deny");
    expect((await callClaude("bridge-hooks allow --last --reason x", account)).decision).toBe("deny");
    expect((await callClaude(`echo {} > ${account.place}/x.json`, account)).decision).toBe("deny");
    // Although hooks are paused, the rest of the command line is denied together with the guarded command.
    expect((await callClaude(`${line}; ${PUSH}`, account)).decision).toBe("deny");
  });
  test("to a trial call, whose denial has no ID", async () => {
    const account = createAccount();
    await allowCall(account, { rule: "git/push-force" });
    const payload = getPayload("claude", "PreToolUse-Bash", { tool_input: { command: PUSH } });
    const { answer: denied } = await runHookCall(HOOKS, ["--host", "claude"], JSON.stringify(payload), account.env);
    expect([denied.restricts, findAllowId(denied.stdout)]).toEqual([true, undefined]);
  });
});

describe("a pause", () => {
  test("withholds denials, asks and failures, and is named in the log", async () => {
    const account = createAccount();
    const failing = hook(
      "failing",
      () => {
        throw new Error("broken");
      },
      { onError: "deny" },
    );
    const asking = hook("asking", () => ask("sure?"));
    const entries = [failing, asking];
    expect((await callClaude("ls", account, { entries })).decision).toBe("deny");
    const { id } = await allowCall(account, { pause: true });
    const passed = await callClaude("ls", account, { entries });
    expect([passed.decision, passed.restricts ?? false]).toEqual(["none", false]);
    const lines = readFileSync(join(account.home, "state/bridge-hooks/decisions.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ decision: "none", wanted: "ask", exceptions: [id] });
    removeExceptions((record) => record.id === id);
    expect((await callClaude("ls", account, { entries })).decision).toBe("deny");
  });
});

describe("an exception", () => {
  test("is stored in the home directory from the user database, whatever HOME is", () => {
    const script = `import { findOwnHome } from ${JSON.stringify(join(ROOT, "src/call/exceptions/account-home.ts"))}; console.log(findOwnHome())`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", script], {
      env: { HOME: "/elsewhere", USER: "nobody", LOGNAME: "nobody" },
    });
    const uid = process.getuid?.();
    const [, , , , , home] = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .find((fields) => fields[2] === String(uid)) ?? ["", "", "", "", "", "undefined"];
    expect(stdout.toString().trim()).toBe(home as string);
  });

  const damages: [what: string, damage: (file: string, place: string) => void, flaw: string][] = [
    ["a file that other users can write", (file) => chmodSync(file, 0o622), "other accounts can write to it"],
    ["a directory that other users can write", (_, place) => chmodSync(place, 0o777), "other accounts can write to it"],
    [
      "a parent directory that any account can write",
      (_, place) => chmodSync(join(place, "../.."), 0o777),
      "any account can write to",
    ],
    ["an unknown terminal", (file) => edit(file, { confirmed: "a-friend" }), "not in the format of this version"],
    ["no terminal", (file) => edit(file, { confirmed: undefined }), "not in the format of this version"],
    ["a link", (file) => (renameSync(file, `${file}.real`), symlinkSync(`${file}.real`, file)), "it is a link"],
    ["a hard link", (file) => linkSync(file, `${file}.other`), "it is not a regular file with a single hard link"],
    [
      "a link in place of the directory",
      (_, place) => (renameSync(place, `${place}.real`), symlinkSync(`${place}.real`, place)),
      "it is a link",
    ],
    [
      "another name",
      (file) => renameSync(file, file.replace(/\w+\.json$/, "abcdefgh.json")),
      "not in the format of this version",
    ],
    ["an unknown field", (file) => edit(file, { sudo: true }), "not in the format of this version"],
    ["another version", (file) => edit(file, { v: 2 }), "not in the format of this version"],
    [
      "a truncated file",
      (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 99)),
      "not in the format of this version",
    ],
  ];
  const edit = (file: string, change: object) =>
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }));

  for (const [what, damage, flaw] of damages)
    test(`is void, and reported, because of ${what}`, async () => {
      const account = createAccount();
      const change = () => damage(join(account.place, readdirSync(account.place)[0] as string), account.place);
      expect(await denyAndAllow(PUSH, account, change)).toBe("deny");
      expect(loadExceptions().invalidRecords).toEqual([
        expect.objectContaining({ flaw: expect.stringContaining(flaw) }),
      ]);
    });

  test.skipIf(process.getuid?.() !== 0)("is void, and reported, because of another owner (only as root)", async () => {
    for (const pick of [(file: string) => file, (_: string, place: string) => place]) {
      const account = createAccount();
      const change = () =>
        chownSync(pick(join(account.place, readdirSync(account.place)[0] ?? ""), account.place), 4711, 0);
      expect(await denyAndAllow(PUSH, account, change)).toBe("deny");
      expect(loadExceptions().invalidRecords).toEqual([
        expect.objectContaining({ flaw: "it belongs to another account (4711)" }),
      ]);
    }
  });
  test("is neither created nor offered without a home directory, and the call is denied as usual", async () => {
    const account = createAccount();
    setOwnHome("");
    const { decision, stdout } = await callClaude(PUSH, account);
    expect([decision, stdout.includes("to allow this call")]).toEqual(["deny", false]);
    expect(findOwnHome()).toBe("");
  });
  test("applies even if the log is off", async () => {
    const account = createAccount();
    mkdirSync(join(account.home, ".config/bridge-hooks"), { recursive: true });
    writeFileSync(join(account.home, ".config/bridge-hooks/config.json"), '{"log":{"level":"off"}}');
    const { HOME } = process.env;
    process.env.HOME = account.home;
    try {
      expect(await denyAndAllow(PUSH, account)).toBe("none");
      expect(readdirSync(join(account.home, "state/bridge-hooks"))).toEqual(["denied"]);
    } finally {
      process.env.HOME = HOME;
    }
  });
});

describe("an exception for one call", () => {
  const session = { conversation_id: "s", session_id: "s" };
  const cursor = (native_event: string, account: Account, more: object = {}) => {
    const [file, fields] =
      native_event === "preToolUse"
        ? ["preToolUse.Shell", { tool_input: { command: PUSH, cwd: account.project } }]
        : [native_event, { command: PUSH, cwd: account.project }];
    const after = native_event === "preToolUse" ? [] : ["--after", "preToolUse"];
    const argv = ["--host", "cursor", "--event", native_event, ...after];
    return answer(getPayload("cursor", file, { ...fields, ...session, ...more }), argv, account);
  };
  test("allows both events of the call, and denies those of the next call", async () => {
    const account = createAccount();
    expect((await cursor("preToolUse", account)).decision).toBe("deny");
    await allowCall(account, { once: true });
    const events = ["preToolUse", "beforeShellExecution"];
    const decisions: string[] = [];
    for (const event of events) decisions.push((await cursor(event, account)).decision);
    for (const event of events)
      decisions.push((await callLater(() => cursor(event, account, { tool_use_id: "next" }))).decision);
    expect(decisions).toEqual(["none", "none", "deny", "deny"]);
  });
  test("allows two entries for each event of the call, and denies both of the next call", async () => {
    const account = createAccount();
    await cursor("preToolUse", account);
    await allowCall(account, { once: true });
    const events = ["preToolUse", "preToolUse", "beforeShellExecution", "beforeShellExecution"];
    const decisions: string[] = [];
    for (const event of events) decisions.push((await cursor(event, account)).decision);
    for (const event of events)
      decisions.push((await callLater(() => cursor(event, account, { tool_use_id: "next" }))).decision);
    expect(decisions).toEqual([...Array(4).fill("none"), ...Array(4).fill("deny")]);
  });
  test("is bound to the call's ID, whenever its entries run, and a call with another ID is denied", async () => {
    const account = createAccount();
    const call = (tool_use_id: string) => callClaude(PUSH, account, { tool_use_id });
    await call("toolu_1");
    await allowCall(account, { once: true });
    expect((await call("toolu_2")).decision).toBe("none");
    expect((await call("toolu_3")).decision).toBe("deny");
    expect((await callLater(() => call("toolu_2"))).decision).toBe("none");
    expect((await call("toolu_1")).decision).toBe("deny");
    expect((await callClaude(PUSH, account, { tool_use_id: "toolu_2", session_id: "another" })).decision).toBe("deny");
  });
  test("without IDs is shared by entries with the same payload that start within two seconds", async () => {
    const account = createAccount();
    const call = (timestamp: string) =>
      answer(
        getPayload("gemini", "BeforeTool-run_shell_command", {
          ...{ tool_input: { command: PUSH }, cwd: account.project, session_id: "s1", timestamp },
        }),
        ["--host", "gemini", "--event", "BeforeTool"],
        account,
      );
    const times = ["2026-11-28T12:00:00.000Z", "2026-11-28T12:00:00.900Z"] as const;
    await call(times[0]);
    await allowCall(account, { once: true });
    expect((await call(times[0])).decision).toBe("none");
    expect((await call(times[0])).decision).toBe("none");
    expect((await call(times[1])).decision).toBe("deny");
    expect((await callLater(() => call(times[0]))).decision).toBe("deny");
  });
  test("allows the second event only in the session of the first event", async () => {
    const account = createAccount();
    await cursor("preToolUse", account);
    await allowCall(account, { once: true });
    expect((await cursor("preToolUse", account)).decision).toBe("none");
    const other = { conversation_id: "t", session_id: "t" };
    expect((await cursor("beforeShellExecution", account, other)).decision).toBe("deny");
    expect((await cursor("beforeShellExecution", account)).decision).toBe("none");
  });
  test("is used up by the later event, so an earlier event after it is denied", async () => {
    const account = createAccount();
    await cursor("beforeShellExecution", account);
    await allowCall(account, { once: true });
    expect((await cursor("beforeShellExecution", account)).decision).toBe("none");
    expect((await cursor("preToolUse", account)).decision).toBe("deny");
  });
  test("allows one permission request of the host for that call", async () => {
    const account = createAccount();
    const entries = [hook("mine", () => deny("no"))];
    const request = () =>
      answer(
        getPayload("claude", "PermissionRequest-Bash-mode-default", {
          ...{ tool_input: { command: PUSH }, cwd: account.project, session_id: "s1" },
        }),
        ["--host", "claude", "--event", "PermissionRequest"],
        account,
        entries,
      );
    await callClaude(PUSH, account, { entries });
    await allowCall(account, { once: true });
    expect((await callClaude(PUSH, account, { entries })).decision).toBe("none");
    expect((await request()).decision).toBe("none");
    expect((await callLater(request)).decision).toBe("deny");
  });
  test("is not used up by a call that another hook denies", async () => {
    const account = createAccount();
    await callClaude(PUSH, account);
    await allowCall(account, { once: true });
    const entries = [...HOOKS, hook("other", () => deny("no"))];
    expect((await callClaude(PUSH, account, { entries })).decision).toBe("deny");
    expect((await callClaude(PUSH, account)).decision).toBe("none");
  });
  test("and a second exception are used one after the other", async () => {
    const account = createAccount();
    const denied = [await callClaude(PUSH, account), await callClaude(PUSH, account)];
    for (const { concluded } of denied) await allowCall(account, { id: concluded?.deniedCall?.id ?? "", once: true });
    const decisions: string[] = [];
    for (const tool_use_id of ["one", "two", "three"])
      decisions.push((await callClaude(PUSH, account, { tool_use_id })).decision);
    expect(decisions).toEqual(["none", "none", "deny"]);
  });
  const races: [string, claims: (index: number) => object, passed: number][] = [
    ["one of twelve processes that claim it concurrently", () => ({}), 1],
    ["one of twelve calls with IDs", (index) => ({ call: `call-${index}` }), 1],
    ["twelve entries for one call", () => ({ call: "call" }), 12],
    ["twelve entries for one payload", () => ({ payload: "hash" }), 12],
  ];
  test.each(races)("allows exactly %s", async (_, buildClaim, passed) => {
    const account = createAccount();
    await callClaude(PUSH, account);
    const { id } = await allowCall(account, { once: true });
    const [claim, home] = ["claim.ts", "account-home.ts"].map((file) =>
      JSON.stringify(join(ROOT, "src/call/exceptions", file)),
    );
    const script = `
      const { claimException } = await import(${claim});
      (await import(${home})).setOwnHome(${JSON.stringify(account.home)});
      console.log("ready");
      await Bun.stdin.text();
      const event = { host: "claude", session: "s", act: "a", rank: 0, ...JSON.parse(process.env.CLAIM) };
      console.log(claimException({ id: ${JSON.stringify(id)} }, event));`;
    const children = Array.from({ length: 12 }, (_, index) =>
      Bun.spawn([process.execPath, "-e", script], {
        ...{ stdin: "pipe", stdout: "pipe" },
        env: { ...process.env, CLAIM: JSON.stringify(buildClaim(index)) },
      }),
    );
    const readers = children.map(({ stdout }) => stdout.getReader());
    const readLines = async () =>
      (await Promise.all(readers.map((one) => one.read()))).map(({ value }) => new TextDecoder().decode(value).trim());
    expect(new Set(await readLines())).toEqual(new Set(["ready"]));
    for (const child of children) child.stdin.end();
    expect((await readLines()).filter((line) => line === "true")).toHaveLength(passed);
  });
});
