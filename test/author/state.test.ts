import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, state } from "../../src/author/kit/state.ts";
import { scratch, withVariables } from "./kit-support.ts";
import * as fc from "fast-check";
import { fuzz } from "../support/fuzz.ts";

describe("state()", () => {
  const home = join(scratch, "state");
  const sessions = join(home, "bridge-hooks/sessions");
  let before: string | undefined;
  beforeAll(() => {
    before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = home;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  });
  let count = 0;
  const newSession = () => ({ host: "one", session_id: `session ${count++}`, cwd: "/" });
  const folders = () => readdirSync(sessions).sort();

  test("keeps values that are set and removes keys that are deleted", () => {
    const store = state(newSession());
    expect(store.get("hook.key")).toBeUndefined();
    store.delete("hook.key");
    for (const value of [null, false, 0, -1.5, "", "ä\u0000\n", [], [1, [null]], {}, { a: { "": [true] } }]) {
      store.set("hook.key", value);
      expect(store.get("hook.key")).toEqual(value);
    }
    store.delete("hook.key");
    expect(store.get("hook.key")).toBeUndefined();
  });

  test("is separate for each session of each host, or each directory without a session ID", () => {
    const events = [
      { host: "one", session_id: "s", cwd: "/a" },
      { host: "two", session_id: "s", cwd: "/a" },
      { host: "one", session_id: "t", cwd: "/a" },
      { host: "one", session_id: "", cwd: "/a" },
      { host: "one", session_id: "", cwd: "/b" },
      { host: "one", session_id: "/a", cwd: "/c" },
    ];
    for (const [at, event] of events.entries()) state(event).set("key", at);
    for (const [at, event] of events.entries()) expect(state(event).get("key")).toBe(at);
    expect(state({ host: "one", session_id: "s", cwd: "/elsewhere" }).get("key")).toBe(0);
    expect(state({ ...(events[0] as object), agent_id: "sub" } as never).get("key")).toBe(0);
  });

  test("is readable only by its owner", () => {
    const store = state(newSession());
    const had = existsSync(sessions) ? folders() : [];
    store.set("key", 1);
    const [folder = ""] = folders().filter((name) => !had.includes(name));
    const [file = "", ...more] = readdirSync(join(sessions, folder));
    expect(more).toEqual([]);
    expect(
      [sessions, join(sessions, folder), join(sessions, folder, file)].map((path) => statSync(path).mode & 0o777),
    ).toEqual([0o700, 0o700, 0o600]);
  });

  test("rejects keys and values that are too large, and keeps the old value", () => {
    const store = state(newSession());
    store.set("key", "x".repeat(64 * 1024 - 2));
    const largest = store.get("key");
    const cases: [work: () => void, message: string][] = [
      [() => store.set("", 1), "state: the key has 0 characters; use 1 to 200"],
      [() => store.set("k".repeat(201), 1), "state: the key has 201 characters; use 1 to 200"],
      [() => store.get("k".repeat(201)), "state: the key has 201 characters; use 1 to 200"],
      [() => store.delete("k".repeat(201)), "state: the key has 201 characters; use 1 to 200"],
      [
        () => store.set("key", "x".repeat(64 * 1024 - 1)),
        'state: the value of "key" has 65537 bytes as JSON; at most 65536 are allowed',
      ],
      [
        () => store.set("key", "ä".repeat(32 * 1024)),
        'state: the value of "key" has 65538 bytes as JSON; at most 65536 are allowed',
      ],
      [
        () => store.set("key", undefined as never),
        'state: the value of "key" can\'t be stored as JSON (undefined); to remove a key, call delete(key)',
      ],
      [
        () => store.set("key", (() => 1) as never),
        'state: the value of "key" can\'t be stored as JSON (function); to remove a key, call delete(key)',
      ],
      [
        () => store.set("key", 1n as never),
        'state: the value of "key" can\'t be stored as JSON (JSON.stringify cannot serialize BigInt.); to remove a key, call delete(key)',
      ],
    ];
    for (const [work, message] of cases) expect(work).toThrow(new Error(message));
    expect(cases.length).toBe(9);
    expect(store.get("key")).toBe(largest);
    store.set("k".repeat(200), 1);
    expect(store.get("k".repeat(200))).toBe(1);
  });

  test("keeps up to a thousand keys", () => {
    const store = state(newSession());
    for (let at = 0; at < 1_000; at++) store.set(`key ${at}`, at);
    expect(() => store.set("one more", 1)).toThrow(/the limit of 1000 keys is reached; delete unused keys$/);
    expect(store.get("one more")).toBeUndefined();
    store.set("key 7", "anew");
    store.delete("key 8");
    store.set("one more", 1);
    expect([store.get("key 7"), store.get("key 8"), store.get("key 999"), store.get("one more")]).toEqual([
      "anew",
      undefined,
      999,
      1,
    ]);
  });

  test("names the file that can't be written or read", () => {
    const event = newSession();
    withVariables({ XDG_STATE_HOME: "/dev/null" }, () => {
      expect(state(event).get("key")).toBeUndefined();
      expect(() => state(event).set("key", 1)).toThrow(
        /^state: "key" can't be stored in \/dev\/null\/bridge-hooks\/sessions\/\w+: ENOTDIR/,
      );
      state(event).delete("key");
    });
    const had = folders();
    state(event).set("key", 1);
    const [folder = ""] = folders().filter((name) => !had.includes(name));
    const file = join(sessions, folder, readdirSync(join(sessions, folder))[0] as string);
    writeFileSync(file, "{");
    expect(() => state(event).get("key")).toThrow(/^state: "key" can't be read \(.+\); delete \/.+\.json$/);
    state(event).set("key", 2);
    expect(state(event).get("key")).toBe(2);
  });

  test("removes sessions without a change for seven days", () => {
    const [old, young] = [newSession(), newSession()];
    const folderOf = (event: ReturnType<typeof newSession>) => {
      const had = folders();
      state(event).set("key", 1);
      return join(sessions, folders().find((name) => !had.includes(name)) as string);
    };
    const [oldFolder, youngFolder] = [folderOf(old), folderOf(young)];
    const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
    utimesSync(oldFolder, days(7.1), days(7.1));
    utimesSync(youngFolder, days(6.9), days(6.9));
    state(young).set("key", 2);
    expect(state(old).get("key")).toBe(1);
    state(newSession()).set("key", 1);
    expect([existsSync(oldFolder), existsSync(youngFolder)]).toEqual([false, true]);
    expect([state(old).get("key"), state(young).get("key")]).toEqual([undefined, 2]);
  });

  test("behaves like a Map", () => {
    let steps = 0;
    const key = fc.constantFrom("a", "A", "a/b", "../a", "ä", "a\0", "__proto__", " ");
    const step = fc.oneof(
      fc.record({ what: fc.constant("set" as const), key, value: fc.jsonValue() }),
      fc.record({ what: fc.constantFrom("get" as const, "delete" as const), key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (all) => {
        const event = newSession();
        const model = new Map<string, unknown>();
        for (const one of all) {
          steps++;
          if (one.what === "set") {
            state(event).set(one.key, one.value as Json);
            model.set(one.key, JSON.parse(JSON.stringify(one.value)));
          } else if (one.what === "delete") {
            state(event).delete(one.key);
            model.delete(one.key);
          } else expect(state(event).get(one.key)).toEqual(model.get(one.key) as Json | undefined);
        }
        for (const [key, value] of model) expect(state(event).get(key)).toEqual(value as Json);
      }),
      fuzz(200),
    );
    expect(steps).toBeGreaterThan(100);
  });

  test("loses nothing when eight processes write concurrently", async () => {
    const event = newSession();
    const had = folders();
    const script = join(scratch, "writer.ts");
    writeFileSync(
      script,
      `import { state } from ${JSON.stringify(join(import.meta.dir, "../../src/author/kit/state.ts"))};
      const [me] = process.argv.slice(2).map(Number);
      const store = state(${JSON.stringify(event)});
      const long = String(me).repeat(20_000);
      for (let at = 0; at < 60; at++) {
        store.set(\`\${me} \${at}\`, at);
        store.set("shared", long);
        const seen = store.get("shared") as string;
        if (seen.length !== 20_000 || seen !== seen[0]!.repeat(20_000)) throw new Error("half a value");
        if (at % 3 === 0) store.delete(\`\${me} \${at}\`);
      }`,
    );
    const children = Array.from({ length: 8 }, (_, me) =>
      Bun.spawn([process.execPath, script, String(me)], { env: { ...process.env }, stderr: "pipe" }),
    );
    const errors = await Promise.all(
      children.map(async (child) => [await child.exited, await new Response(child.stderr).text()]),
    );
    expect(errors).toEqual(Array(8).fill([0, ""]));
    const store = state(event);
    let kept = 0;
    for (let me = 0; me < 8; me++)
      for (let at = 0; at < 60; at++) {
        expect(store.get(`${me} ${at}`)).toBe(at % 3 === 0 ? undefined : at);
        kept++;
      }
    expect(kept).toBe(480);
    const [folder = "", ...others] = folders().filter((name) => !had.includes(name));
    expect(others).toEqual([]);
    expect(readdirSync(join(sessions, folder)).length).toBe(8 * 40 + 1);
  });
});
