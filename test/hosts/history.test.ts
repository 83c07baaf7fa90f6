import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runHookCall } from "../../src/author/testing/call.ts";
import { hosts } from "../../src/hosts/index.ts";
import { compareCalls, type NativeCall, rebuildCalls } from "../e2e/history.ts";

const under = mkdtempSync(join(tmpdir(), "bh-history-"));
afterAll(() => rmSync(under, { recursive: true, force: true }));

/** Creates a home directory as a host leaves it. Databases are stored as the SQL that creates them. */
function furnishHome(sessions: string, version: string): string {
  const home = mkdtempSync(join(under, "home-"));
  cpSync(join(sessions, version, "home"), home, { recursive: true });
  for (const name of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".sql")) continue;
    const path = join(home, name);
    const database = new Database(path.slice(0, -4));
    database.run(readFileSync(path, "utf8"));
    database.close();
    rmSync(path);
  }
  return home;
}

const listFiles = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

let read = 0;
for (const host of hosts) {
  const sessions = join(import.meta.dir, host.id, "sessions");
  const versions = host.loadHistory ? readdirSync(sessions) : [];
  describe.skipIf(versions.length === 0)(`the history of ${host.name}`, () => {
    for (const version of versions) {
      const home = furnishHome(sessions, version);
      const asked = JSON.parse(readFileSync(join(sessions, version, "calls.json"), "utf8")) as NativeCall[];
      test(`of ${version} rebuilds the calls that hooks received in the same runs`, async () => {
        const before = listFiles(home);
        const { calls, problems } = await rebuildCalls(host, home);
        expect(problems).toEqual([]);
        expect(compareCalls(host, asked, calls)).toEqual([[], []]);
        expect(calls.length).toBe(asked.length);
        expect(listFiles(home)).toEqual(before);
        read += calls.length;
      });
      test(`of ${version} rebuilds payloads of this host`, async () => {
        const { calls } = await rebuildCalls(host, home);
        for (const { native_event, payload } of calls) {
          const argv = ["--host", host.id, "--event", native_event];
          const { answer, observedCall } = await runHookCall([], argv, JSON.stringify(payload), {});
          expect([observedCall?.event.host, answer.stderr]).toEqual([host.id, ""]);
        }
      });
      test(`of ${version} has times and sessions`, async () => {
        const reader = await host.loadHistory?.();
        expect(reader?.releases).toContain(version);
        const { found } = await rebuildCalls(host, home);
        for (const { at, session } of found) {
          expect(new Date(at ?? 0).toISOString()).toStartWith("2026-11-24");
          expect(session).not.toBe("");
        }
      });
    }
  });
}

test("exactly the hosts with recorded sessions have a history reader", () => {
  for (const { id, loadHistory } of hosts)
    expect([id, loadHistory !== undefined]).toEqual([id, existsSync(join(import.meta.dir, id, "sessions"))]);
  expect(read).toBeGreaterThan(100);
});

test("a history record of any shape is read without an error", async () => {
  const odd: unknown[] = [null, 0, "text", [], {}, [[]], { type: 1 }, true];
  for (const host of hosts) {
    const reader = await host.loadHistory?.();
    const session = reader?.openSource({ path: "/nowhere/x.jsonl", kind: "lines" });
    const types = [
      "user",
      "assistant",
      "message",
      "response_item",
      "event_msg",
      "session_meta",
      "tool.execution_start",
    ];
    for (const type of [...types, "user.message", "session", "session.start", "gemini", "subagent.started", 1, null])
      for (const field of ["message", "payload", "data", "content", "toolCalls", "$set", "event_json", "sessionId"])
        for (const value of [...odd, { content: odd, item: null, data: odd, name: 1, toolName: 2, messages: odd }])
          expect(() => session?.readRecord({ type, [field]: value })).not.toThrow();
  }
});
