import { describe, expect, test } from "bun:test";
import redactOutput from "../../hooks/redact-output.ts";
import { pickCell } from "../../src/protocol/capability.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { getCapabilityRow, type Payload } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { answerCall } from "../support/answer-call.ts";
import { fixtures, type Fixture, getPayload } from "../support/fixtures.ts";
import { makeAlphanumeric } from "../support/made-up-secrets.ts";
import { decodeAsHost, getEventName } from "../hosts/speak-support.ts";

const TOKEN = `ghp_${makeAlphanumeric(36, 11)}`;
const MARK = "[redacted: github-token]";
const entries = [createHookEntry(redactOutput, "redact-output")];
const TOOLS: readonly string[] = redactOutput.tool as string[];

/** Returns the paths to all strings in a value. */
function listTextPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === "string") return [[...path]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => listTextPaths(one, [...path, key]));
}

function addText(payload: Payload, path: readonly string[], text: string): Payload {
  const copy = structuredClone(payload);
  const [last = "", ...folders] = path.toReversed();
  const parent = folders.toReversed().reduce((value, key) => value[key] as Payload, copy);
  parent[last] = `${String(parent[last])}${text}`;
  return copy;
}

/**
 * Returns a recorded result in which a token is appended to each string that the adapter reads as the result; undefined
 * if there are none.
 */
function addToken({ host, file, payload }: Fixture): Payload | undefined {
  const native_event = getEventName(file, payload);
  const readResult = (sent: Payload): string => {
    const event = decodeAsHost(host, sent, native_event);
    return event.event === "PostToolUse" && TOOLS.includes(event.tool) ? event.output.text : "";
  };
  const isResult = (path: readonly string[]) => {
    try {
      return readResult(addText(payload, path, ` ${TOKEN}`)).includes(TOKEN);
    } catch {
      return false;
    }
  };
  const paths = listTextPaths(payload).filter((path) => isResult(path));
  return paths.length === 0
    ? undefined
    : paths.reduce((sent, path) => addText(sent, path, ` ${TOKEN}`), structuredClone(payload));
}

test("a result that can't be redacted is unchanged, and the failure is reported", async () => {
  const payload = JSON.stringify({ ...getPayload("claude", "PostToolUse-mcp__tiny__echo"), tool_response: "@" });
  const text = payload.replace('"@"', `${"[".repeat(6_000)}"${TOKEN}"${"]".repeat(6_000)}`);
  const world = { env: { HOME: "/home/nobody" }, read: () => text };
  const { stdout, stderr, exit_code } = await answerCall(
    entries,
    {},
    ["--host", "claude", "--on-error", "deny"],
    world,
  );
  expect([stdout, exit_code]).toEqual(["", 1]);
  expect(stderr).toContain('hook "redact-output" failed: ');
});

describe("a token in a recorded result is", () => {
  const checked = new Set<string>();
  for (const fixture of fixtures) {
    const { host, version, file } = fixture;
    const native_event = getEventName(file, fixture.payload);
    const row = getCapabilityRow(host, native_event, omitNulls(fixture.payload));
    if (row.event !== "PostToolUse") continue;
    const payload = addToken(fixture);
    if (!payload) continue;
    checked.add(host.id);
    const { support } = pickCell(row.modified_output, undefined);
    const what = support === "unenforceable" ? "told of" : "taken out";
    test(`${what}: ${host.id} ${version} ${file}`, async () => {
      const argv = ["--host", host.id, "--event", native_event];
      const text = JSON.stringify(payload);
      const { stdout, stderr } = await answerCall(entries, {}, argv, {
        env: { HOME: "/home/nobody" },
        read: () => text,
      });
      expect(stdout + stderr).not.toContain(TOKEN);
      const isTaken = stdout.includes(MARK) || stderr.includes(MARK);
      const isTold = /contains a secret \(github-token\), but (?:the model reads|you got) the original/.test(stdout);
      const isWarned = stderr.includes("the model reads the original");
      // A host may replace the results of only some tools.
      expect(isTaken || isTold || isWarned).toBe(true);
      if (support === "unenforceable") expect(isTaken).toBe(false);
      const isShown =
        pickCell(row.user_message, undefined).support !== "drop" ||
        pickCell(row.additional_context, undefined).support !== "drop";
      if (!isTaken && isShown) expect(isTold).toBe(true);
    });
  }
  test("tested on each host that reports results", () => {
    const others = hosts.filter(({ id }) => !checked.has(id)).map(({ id }) => id);
    expect(others).toEqual(["crush"]);
  });
});
