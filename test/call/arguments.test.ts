import { describe, expect, test } from "bun:test";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { defineHook, createHookEntry, type FailurePolicy } from "../../src/protocol/hook.ts";
import { deny } from "../../src/protocol/response.ts";
import { hosts } from "../../src/hosts/index.ts";
import { answerCall } from "../support/answer-call.ts";
import { decodeFixture } from "../support/fixtures.ts";

const guard = (matcher: string, onError?: FailurePolicy) =>
  createHookEntry(defineHook({ event: "PreToolUse", matcher, onError, handler: () => deny("guarded") }), "guard");

/** Returns each host's answer to a shell command sent in that host's own payload format. */
async function answers(command: string, matcher: string, onError?: FailurePolicy) {
  const event = { ...decodeFixture("claude", "PreToolUse-Bash"), input: { command } } as AnyEvent;
  return Promise.all(
    hosts.map(async (host) => {
      const speech = await host.loadScriptCodec();
      const [spoken] = speech.buildPayloads(event);
      if (!spoken) throw new Error(`${host.id} tells of no shell line`);
      const { native_event, payload } = spoken;
      const argv = ["--host", host.id, "--event", native_event];
      const result = await answerCall([guard(matcher, onError)], {}, argv, {
        env: {},
        read: () => payload,
        isTrial: true,
      });
      const failed =
        result.exit_code === (host.failureExitCode ?? 1) &&
        result.stdout === host.neutralOutput &&
        result.stderr !== "";
      return {
        host: host.id,
        failed,
        ...(!failed && speech.parseAnswer({ native_event, payload }, result)),
        stderr: result.stderr,
      };
    }),
  );
}

const CASES: readonly [matcher: string, command: string, fits: boolean][] = [
  ["Bash(git push*)", "git push", true],
  ["Bash(git push*)", "cd x && sudo git push origin", true],
  ["Bash(git push*)", "sh -c 'git push --force'", true],
  ["Bash(git push*)", "echo $(/usr/bin/git push)", true],
  ["Bash(git push*)", "GIT_TRACE=1 'git' \"push\"", true],
  ['Bash(psql *"Users"*)', `psql -c 'drop table "Users"'`, true],
  ['Bash(psql *"Users"*)', "psql -c 'drop table Users'", false],
  [String.raw`Bash(del *\secrets\*)`, String.raw`del 'x\secrets\y'`, true],
  [String.raw`Bash(del *\secrets\*)`, "del secrets", false],
  ["Bash(git push*)", 'echo "git push"', false],
  ["Bash(git push*)", "git commit -m 'git push'", false],
  ["Bash(git push*)", "git status # git push", false],
  ["Bash(git push *)", "git pushx", false],
  ["Bash(git push:*)", "git push", true],
  ["Bash(npm test)", "npm test", true],
  ["Bash(npm test)", "npm test -- --watch", false],
  ["Edit|Bash(rm *)|Bash(git push*)", "true; rm x", true],
  ["Edit|Write", "git push", false],
  ["Bash(*)", "anything", true],
];

describe("on every host, the matcher", () => {
  for (const [matcher, command, fits] of CASES) {
    test(`${matcher} ${fits ? "matches" : "does not match"} ${command}`, async () => {
      const all = await answers(command, matcher);
      expect(all.length).toBe(hosts.length);
      for (const { host, decision, reason } of all)
        expect([host, decision, fits ? reason : undefined]).toEqual([
          host,
          fits ? "deny" : undefined,
          fits ? expect.stringContaining("guarded") : undefined,
        ]);
    });
  }
});

describe("a shell command", () => {
  const lines = {
    "too long": `git push ${"x ".repeat(100_000)}`,
    "nested too deeply": `git push ${"$(".repeat(20_000)}`,
  };
  for (const [name, line] of Object.entries(lines)) {
    test(`that is ${name} is denied with onError deny`, async () => {
      for (const { host, decision, reason } of await answers(line, "Bash(git push*)", "deny"))
        expect([host, decision, reason]).toEqual([
          host,
          "deny",
          expect.stringMatching(/The hook "guard" failed \(the command line is (too long|nested too deeply)/),
        ]);
    });
    test(`that is ${name} makes the hook fail with onError allow`, async () => {
      for (const { host, failed, stderr } of await answers(line, "Bash(git push*)", "allow"))
        expect([host, failed, stderr]).toEqual([
          host,
          true,
          expect.stringMatching(/the command line is (too long|nested too deeply)/),
        ]);
    });
    test(`that is ${name} is allowed if it lacks the matcher's words`, async () => {
      for (const { host, decision, stderr } of await answers(
        line.replace("git push", "echo").replaceAll("$(", "(("),
        "Bash(git push*)",
        "deny",
      ))
        expect([host, decision, stderr]).toEqual([host, undefined, ""]);
    });
  }
});
