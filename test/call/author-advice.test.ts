import { describe, expect, test } from "bun:test";
import { runHookCall } from "../../src/author/testing/call.ts";
import { hosts } from "../../src/hosts/index.ts";
import { CAPABILITY_FIELDS, getCells } from "../../src/protocol/capability.ts";
import { getCapabilityRow, type Host } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import { type Fixture, readFixtures } from "../support/fixtures.ts";

/** Lists the advice to hook authors in a host's table. */
function listAdvice(host: Host): string[] {
  const rows = Object.keys(host.capabilities).map((native_event) => getCapabilityRow(host, native_event));
  const cells = rows.flatMap((row) => CAPABILITY_FIELDS.flatMap((field) => [getCells(row, field)].flat()));
  return [...new Set(cells.flatMap(({ remedy, unless }) => [remedy, unless?.remedy]))].filter(
    (remedy) => remedy !== undefined,
  );
}

/** Returns one recorded payload for each of a host's events. */
const listEvents = (host: Host): Fixture[] => [
  ...new Map(readFixtures(host).map((one) => [host.getEventName(one.payload), one])).values(),
];

const TEXTS = { reason: "R", user_message: "U", additional_context: "C" };
const LOSSY: IHookResponse[] = [
  { modified_input: { command: "x" } },
  { modified_input: { comand: "x" } },
  { modified_output: "x" },
  { session_env: { A: "1" } },
].flatMap((change) => [
  change,
  ...(["allow", "deny", "ask"] as const).map((decision) => ({ decision, ...TEXTS, ...change })),
]);

describe.each(hosts)("advice for hook authors on $id", (host) => {
  test("reaches no model, and is shown by try and in the log", async () => {
    const advice = listAdvice(host);
    expect(advice.length).toBeGreaterThan(0);
    const events = listEvents(host);
    let count = 0;
    for (const { payload, text } of events) {
      const native_event = host.getEventName(payload);
      const { event } = getCapabilityRow(host, native_event, payload);
      for (const response of LOSSY) {
        const entry = createHookEntry({ event, handler: () => structuredClone(response) }, "lossy");
        const argv = ["--host", host.id, "--event", native_event];
        const { answer } = await runHookCall([entry], argv, text, {});
        // If the exit code isn't zero, stderr is part of the answer.
        const read = answer.exit_code === 0 ? answer.stdout : `${answer.stdout}\n${answer.stderr}`;
        const known = `${answer.stderr}\n${answer.advice ?? ""}`;
        const found = advice.filter((one) => read.includes(JSON.stringify(one).slice(1, -1)) || read.includes(one));
        expect([native_event, response, found]).toEqual([native_event, response, []]);
        expect(read.replaceAll("bridge-hooks: a hook returned", "")).not.toMatch(/bridge-hooks: \S+ \w+: /);
        if (known.includes("bridge-hooks: ")) count++;
      }
    }
    expect(events.length === 0 || count > 0).toBe(true);
  });
});
