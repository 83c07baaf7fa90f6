import { describe, expect, test } from "bun:test";
import { hasContinuingDenial } from "../../src/protocol/capability.ts";
import { type Host, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { hostRegistry } from "../../src/hosts/registry.ts";
import { answerCall } from "../support/answer-call.ts";
import { fixtures, getPayload } from "../support/fixtures.ts";

const answerTo = (argv: readonly string[], payload: unknown) =>
  answerCall([], {}, argv, { env: {}, read: () => (typeof payload === "string" ? payload : JSON.stringify(payload)) });

const bash = getPayload("claude", "PreToolUse-Bash");

describe("an unknown host causes a denial unless the entry allows calls on failure", () => {
  const near: [given: string, message: string][] = [
    ["cluade", 'bridge-hooks: unknown host "cluade"; did you mean claude?'],
    ["Claude", 'bridge-hooks: unknown host "Claude"; did you mean claude?'],
    ["emacs", `bridge-hooks: unknown host "emacs"; known: ${hostRegistry.map(({ id }) => id).join(", ")}`],
  ];
  for (const [given, stderr] of near)
    for (const [policy, exit_code] of [
      [[], 2],
      [["--on-error", "allow"], 1],
      [["--on-error", "deny"], 2],
    ] as const)
      test(`with --host ${given} ${policy.join(" ")}`, async () => {
        expect(await answerTo(["--host", given, ...policy], bash)).toEqual({ stdout: "", stderr, exit_code });
      });
  test("and is allowed in the format of the host that sent the payload", async () => {
    const payload = getPayload("copilot", "preToolUse");
    const flags = ["--host", "cluade", "--on-error"];
    expect((await answerTo([...flags, "allow"], payload)).exit_code).toBe(0);
    expect((await answerTo([...flags, "deny"], payload)).exit_code).toBe(2);
  });
  test("even if the payload is unreadable or matches no host", async () => {
    for (const payload of ["", "{", "[]", "7", '{"hello":1}'])
      expect((await answerTo(["--host", "cluade"], payload)).exit_code).toBe(2);
    const closed = {
      env: {},
      read: () => {
        throw new Error("stdin stays open");
      },
    };
    expect((await answerCall([], {}, ["--host", "cluade"], closed)).exit_code).toBe(2);
  });
  test("even if the value of --host is missing", async () => {
    for (const argv of [["--host"], ["--host="], ["--host", "--event", "PreToolUse"]]) {
      const { exit_code, stdout } = await answerTo(argv, bash);
      expect([exit_code, stdout]).toEqual([2, expect.stringContaining('"permissionDecision":"deny"')]);
      expect(await answerTo(["--on-error", "allow", ...argv], bash)).toMatchObject({ stdout: "", exit_code: 1 });
    }
  });
  test("even if it is named in code", async () => {
    const { exit_code } = await answerCall([], { host: "cluade" }, [], { env: {}, read: () => JSON.stringify(bash) });
    expect(exit_code).toBe(2);
  });
});

describe("an unknown host causes a failure if a denial would make the agent continue", () => {
  const goesOn = (host: Host, name: string) => hasContinuingDenial(getCapabilityRow(host, name));
  const all = fixtures.map(({ host, file, payload }) => ({ host, file, payload, name: host.getEventName(payload) }));
  const stops = all.filter(({ host, name }) => goesOn(host, name));
  test("for every recorded payload of such an event, and for no other", async () => {
    for (const { host, file, payload, name } of all.filter(({ name }) => name !== "")) {
      const { exit_code } = await answerTo(["--host", "cluade", "--event", name], payload);
      expect([host.id, file, exit_code]).toEqual([host.id, file, goesOn(host, name) ? (host.failureExitCode ?? 1) : 2]);
    }
    expect(stops.length).toBeGreaterThan(5);
  });
  test("according to the event's name if the payload can't be read", async () => {
    expect((await answerTo(["--host", "cluade", "--event", "Stop"], "{")).exit_code).toBe(1);
    expect((await answerTo(["--host", "cluade"], '{"hook_event_name": "AfterAgent", ')).exit_code).toBe(1);
    expect((await answerTo(["--host", "cluade"], '{"hook_event_name": "PreToolUse", ')).exit_code).toBe(2);
  });
});
