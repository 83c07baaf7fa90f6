import { describe, expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { getCells, pickCell } from "../../src/protocol/capability.ts";
import { type AnyEvent, EVENTS, isToolCallEvent } from "../../src/protocol/event.ts";
import type { Host } from "../../src/protocol/host/host.ts";
import { explainMissingPayload } from "../../src/protocol/host/missing-payload.ts";
import { lowerResponse } from "../../src/protocol/lower.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { detectHost } from "../../src/call/identify/detect.ts";
import { getHostOptionValues } from "../../src/call/options.ts";
import {
  getSpeech,
  getHost,
  decodeAsHost,
  recordedEvents,
  baseEvent,
  madeEvents,
  createEvent,
} from "./speak-support.ts";
import { FULL } from "./facts.ts";
import { getFacts } from "./host-facts.ts";
import * as fc from "fast-check";
import { fuzz } from "../support/fuzz.ts";

describe("a built payload", () => {
  test("keeps any text in a command, an argument, a prompt, a session ID and a directory", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom('"', "$&", "\\", "\n", "*** End Patch", "mcp__a__b", "\u2028"),
    );
    const heard = (host: Host, event: AnyEvent) =>
      getSpeech(host.id)
        .buildPayloads(event)
        .slice(0, 1)
        .map(
          ({ payload, native_event }) =>
            decodeAsHost(host, JSON.parse(JSON.stringify(payload)), native_event) as unknown as Record<string, any>,
        );
    const runs = fuzz(1_000);
    let told = 0;
    fc.assert(
      fc.property(text, text, text, (one, two, three) => {
        const session = { session_id: `s${two}`, cwd: `/${three}` };
        const about = [
          { ...madeEvents[0], ...session, input: { command: one } },
          { ...madeEvents[14], ...session, input: { server: "a", tool: "b", arguments: { [two]: one } } },
          { ...baseEvent, ...session, event: "UserPromptSubmit", prompt: one },
        ] as AnyEvent[];
        for (const host of hosts) {
          const known = about.filter(({ event }) => !host.absentEvents.includes(event));
          const [bash, mcp, ...prompts] = known.flatMap((event) => heard(host, event));
          expect([bash?.input.command, mcp?.input.arguments]).toEqual([one, { [two]: one }]);
          expect(prompts.map(({ prompt }) => prompt)).toEqual(known.length > 2 ? [one] : []);
          for (const event of [bash, mcp, ...prompts])
            expect([event?.session_id, event?.cwd]).toEqual([session.session_id, session.cwd]);
          told++;
        }
      }),
      runs,
    );
    expect(told).toBe(runs.numRuns * hosts.length);
  });

  test("is recognized as the host's and the event's without a flag", async () => {
    let told = 0;
    for (const { event } of [...recordedEvents, ...madeEvents.map((event) => ({ event }))]) {
      for (const host of hosts) {
        for (const { payload, native_event } of getSpeech(host.id).buildPayloads(event)) {
          const clean = omitNulls(payload);
          expect([event.host, native_event, await detectHost(hosts, clean, { env: {} })]).toEqual([
            event.host,
            native_event,
            { host },
          ]);
          expect(host.getEventName(clean, native_event)).toBe(native_event);
          told++;
        }
      }
    }
    expect(told).toBeGreaterThan(2700);
  });

  /** Fields that the host leaves out if the event doesn't provide them. */
  const OPTIONAL = [
    "duration_ms",
    "duration",
    "last_assistant_message",
    "prompt_response",
    "response",
    "summary",
    "cwd",
    "derivedPaths",
    "label",
  ];
  test("has all fields of the event's recorded payload", () => {
    let told = 0;
    for (const { host, native_event, payload, event } of recordedEvents) {
      const foreign = { ...event, host: "elsewhere", native_event: "elsewhere", _native: {} } as AnyEvent;
      for (const one of getSpeech(host.id)
        .buildPayloads(foreign)
        .filter((spoken) => spoken.native_event === native_event)) {
        const mine = Object.keys(one.payload);
        // Some fields depend on the agent, tool or release, so they're in only some of an event's payloads and can't be
        // expected in all.
        const sample = recordedEvents
          .filter((other) => other.host === host && other.native_event === native_event)
          .map((other) => Object.keys(other.payload));
        const always = Object.keys(payload).filter(
          (key) => !OPTIONAL.includes(key) && sample.every((keys) => keys.includes(key)),
        );
        expect([host.id, native_event, always.filter((key) => !mine.includes(key))]).toEqual([
          host.id,
          native_event,
          [],
        ]);
        told++;
      }
    }
    expect(told).toBeGreaterThan(280);
  });

  test("is missing with a reason if the host lacks the event or tool", () => {
    const notification = { ...baseEvent, event: "Notification", message: "m" } as AnyEvent;
    const native = { ...baseEvent, event: "Native" } as AnyEvent;
    const grep = madeEvents.find((event) => isToolCallEvent(event) && event.tool === "Grep") as AnyEvent;
    expect(getSpeech("codex").buildPayloads(notification)).toEqual([]);
    expect(explainMissingPayload(getHost("codex"), notification)).toBe("Codex has no such event");
    expect(getSpeech("codex").buildPayloads(grep)).toEqual([]);
    expect(explainMissingPayload(getHost("codex"), grep)).toBe("Codex doesn't report this Grep call to its hooks");
    for (const { id } of hosts) expect([id, getSpeech(id).buildPayloads(native)]).toEqual([id, []]);
  });

  test("exists for every unified event that the host has", () => {
    let told = 0;
    for (const host of hosts) {
      for (const event of EVENTS.filter((name) => name !== "Native")) {
        const given = createEvent(event);
        expect([host.id, event, getSpeech(host.id).buildPayloads(given).length > 0]).toEqual([
          host.id,
          event,
          !host.absentEvents.includes(event),
        ]);
        told++;
      }
    }
    expect(told).toBe(hosts.length * 13);
  });
});

describe("parseAnswer reads back a hook's response", () => {
  const ANSWERS: readonly [
    field: "allow" | "deny" | "ask" | "user_message" | "modified_input" | "additional_context" | "modified_output",
    response: IHookResponse,
  ][] = [
    ["allow", { decision: "allow" }],
    ["deny", { decision: "deny", reason: "R" }],
    ["deny", FULL],
    ["ask", { decision: "ask", reason: "R" }],
    ["user_message", { user_message: "M" }],
    ["additional_context", { additional_context: "C" }],
    ["modified_input", { modified_input: { command: "NEW" } }],
    ["modified_output", { modified_output: "O" }],
  ];
  const used = new Set<unknown>();
  let understood = 0;

  for (const host of hosts) {
    for (const [native_event, make] of Object.entries(host.capabilities)) {
      test(`on ${host.id} ${native_event}`, () => {
        const row = make();
        const samples = recordedEvents.filter((one) => one.host === host && one.native_event === native_event);
        const found = samples.find(({ event }) => isToolCallEvent(event) && event.tool === "Bash") ?? samples[0];
        const event = found?.event ?? ({ ...baseEvent, host: host.id, native_event, event: row.event } as AnyEvent);
        const version = event.host_version;
        const kept = (field: "reason" | "user_message" | "additional_context") =>
          pickCell(row[field], version).support !== "drop";
        for (const [field, response] of ANSWERS) {
          const cell = pickCell(getCells(row, field), version);
          if (cell.support !== "native" && cell.support !== "emulated") continue;
          if (field === "modified_input" && !(isToolCallEvent(event) && event.tool === "Bash")) continue;
          // The answer doesn't contain fields that the host doesn't support.
          const given = Object.fromEntries(
            Object.entries(response).filter(
              ([name]) => !["reason", "user_message", "additional_context"].includes(name) || kept(name as "reason"),
            ),
          );
          const answer: IHookResponse =
            field === "modified_input" && row.event === "PermissionRequest" ? { decision: "allow", ...given } : given;
          const settings = getHostOptionValues(host, {});
          const { lowered } = lowerResponse({ ...response, ...answer }, { host, row, event, settings });
          // One host can replace the results of only some tools.
          if (field === "modified_output" && lowered.output === undefined) continue;
          const result = host.encodeAnswer(lowered, row.shape, native_event, settings);
          const changed = getFacts(host.id).changed?.find(
            ([events, one]) => events.test(native_event) && Bun.deepEquals(one, response),
          );
          if (changed) used.add(changed);
          const heard = getSpeech(host.id).parseAnswer({ native_event, payload: found?.payload ?? {} }, result);
          expect([response, heard]).toEqual([
            response,
            changed ? changed[2] : cell.lacksReason && result.stdout === host.neutralOutput ? {} : answer,
          ]);
          understood++;
        }
      });
    }
  }
  test("with only the listed exceptions, all of which occur", () => {
    for (const { id } of hosts) expect((getFacts(id).changed ?? []).filter((one) => !used.has(one))).toEqual([]);
    expect(understood).toBeGreaterThan(50 * hosts.length);
  });
});
