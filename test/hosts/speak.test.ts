import { describe, expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { type AnyEvent, type EventName, EVENTS, isToolCallEvent } from "../../src/protocol/event.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import { TOOLS } from "../../src/protocol/tool.ts";
import {
  getSpeech,
  decodeAsHost,
  recordedEvents,
  withoutNative,
  baseEvent,
  madeEvents,
  SESSION_FIELDS,
  createEvent,
} from "./speak-support.ts";
import type { HeardCall } from "./facts.ts";
import { getFacts } from "./host-facts.ts";

describe("buildPayloads for the event's own host", () => {
  for (const { host, name, recording, native_event, payload, event } of recordedEvents) {
    test(`returns ${name} unchanged`, () => {
      const [first, ...others] = getSpeech(host.id).buildPayloads(event);
      expect(first).toEqual({ native_event, payload, call: 0 });
      for (const other of others) expect(other.native_event).not.toBe(native_event);
    });
    if (event.event === "Native") continue;
    test(`rebuilds ${name} from the event's fields`, () => {
      const spoken = getSpeech(host.id).buildPayloads({ ...event, _native: {} });
      const again = spoken.find((one) => one.native_event === native_event);
      const tool_name = getFacts(host.id).renamed?.[recording];
      expect(withoutNative(decodeAsHost(host, again?.payload ?? {}, native_event))).toEqual({
        ...withoutNative(event),
        ...(tool_name && { tool_name }),
      });
    });
  }
  test("is tested with more than 380 recorded events", () => {
    expect(recordedEvents.length).toBeGreaterThan(380);
    for (const { id } of hosts)
      for (const name of Object.keys(getFacts(id).renamed ?? {}))
        expect([name, recordedEvents.some(({ host, recording }) => host.id === id && recording === name)]).toEqual([
          name,
          true,
        ]);
  });

  test("contains a hook's rewrite of a call", () => {
    let told = 0;
    for (const { host, native_event, event } of recordedEvents.filter(
      ({ event }) => event.event === "PreToolUse" && event.tool === "Bash",
    )) {
      const changed = { ...event, input: { ...(event as { input: object }).input, command: "npm ci" } } as AnyEvent;
      const [first] = getSpeech(host.id).buildPayloads(changed);
      expect(first?.native_event).toBe(native_event);
      expect(withoutNative(decodeAsHost(host, first?.payload ?? {}, native_event))).toEqual(withoutNative(changed));
      told++;
    }
    expect(told).toBeGreaterThan(3 * hosts.length);
  });
});

describe("another host's call", () => {
  const calls = [...recordedEvents.map(({ event }) => event), ...madeEvents].filter(isToolCallEvent);
  const pairs = new Set<string>();
  let told = 0;
  for (const host of hosts) {
    test(`is decoded by ${host.id} as the same call`, () => {
      for (const event of calls.filter((one) => one.host !== host.id && !host.absentEvents.includes(one.event))) {
        const spoken = getSpeech(host.id).buildPayloads(event);
        const first = spoken.filter(({ native_event }) => native_event === spoken[0]?.native_event);
        const heard = first
          .map(({ payload, native_event }) => decodeAsHost(host, payload, native_event))
          .filter(isToolCallEvent);
        // On other hosts, a call that reads multiple files becomes multiple calls.
        const { file_paths } = event.input as { file_paths?: string[] };
        const inputs: object[] = file_paths?.map((file_path) => ({ file_path })) ?? [event.input];
        const { heard: expectedCalls } = getFacts(host.id);
        const expected = inputs.flatMap(
          (input): readonly HeardCall[] => expectedCalls[event.tool]?.(input, event) ?? [[event.tool, input]],
        );
        const where = `${event.host} ${event.native_event} ${event.tool_name}`;
        expect([where, heard.map(({ tool, input }) => [tool, JSON.parse(JSON.stringify(input))])]).toEqual([
          where,
          JSON.parse(JSON.stringify(expected)),
        ]);
        for (const [at, one] of first.entries()) expect(one.call).toBe(at);
        for (const one of heard)
          expect([one.event, one.session_id, one.host]).toEqual([event.event, event.session_id, host.id]);
        pairs.add(`${event.host} ${host.id} ${event.tool}`);
        told++;
      }
    });
  }
  test("is tested for every tool, from every host to every other", () => {
    const expected = calls.flatMap((event) =>
      hosts
        .filter(({ id, absentEvents }) => id !== event.host && !absentEvents.includes(event.event))
        .map(({ id }) => `${event.host} ${id} ${event.tool}`),
    );
    expect([...pairs].sort()).toEqual([...new Set(expected)].sort());
    for (const tool of TOOLS)
      expect(madeEvents.some((event) => isToolCallEvent(event) && event.tool === tool)).toBe(true);
    expect(told).toBeGreaterThan(1000);
  });

  test("has the shell's directory as the session's directory on hosts whose tool has no directory field", () => {
    const event = madeEvents[1] as AnyEvent;
    for (const host of hosts) {
      const [{ payload, native_event } = { payload: {}, native_event: "" }] = getSpeech(host.id).buildPayloads(event);
      expect([host.id, decodeAsHost(host, payload, native_event).cwd]).toEqual([
        host.id,
        getFacts(host.id).hasShellFolder ? "/srv/it" : "/srv/it/sub",
      ]);
    }
  });

  test("contains its result, or its error", () => {
    const output = { text: "hi\n", raw: { odd: 1 }, stdout: "hi\n", exit_code: 0 };
    const event = { ...madeEvents[0], event: "PostToolUse", output, duration_ms: 7 } as AnyEvent;
    const failure = { ...madeEvents[0], event: "PostToolUseFailure", error: "no such file" } as AnyEvent;
    let texts = 0;
    let errors = 0;
    for (const host of hosts) {
      const heard = getSpeech(host.id)
        .buildPayloads(event)
        .map((one) => decodeAsHost(host, one.payload, one.native_event));
      for (const one of heard)
        expect([host.id, (one as typeof event & { output: { text: string } }).output.text]).toEqual([host.id, "hi\n"]);
      texts += heard.length;
      for (const { payload, native_event } of getSpeech(host.id).buildPayloads(failure)) {
        expect((decodeAsHost(host, payload, native_event) as { error?: string }).error).toBe("no such file");
        errors++;
      }
    }
    expect(texts).toBeGreaterThan(hosts.length);
    expect(errors).toBeGreaterThan(hosts.length / 2);
  });

  test("contains the content of a file that Cursor shows its hook before a read", () => {
    const file = import.meta.path;
    const event = { ...madeEvents[2], input: { file_path: file } } as AnyEvent;
    const told = getSpeech("cursor").buildPayloads(event);
    expect(told.map(({ native_event }) => native_event)).toEqual(["preToolUse", "beforeReadFile", "beforeTabFileRead"]);
    expect(String(told[1]?.payload.content)).toStartWith("import { describe");
    expect(
      getSpeech("cursor").buildPayloads({ ...event, input: { file_path: "/dev/zero" } } as AnyEvent)[1]?.payload
        .content,
    ).toBe("");
  });
});

describe("another host's session event", () => {
  /** Session event fields that might have an equivalent on a host. */
  const FIELDS: readonly [event: EventName, field: keyof typeof SESSION_FIELDS][] = [
    ["SessionStart", "source"],
    ["SessionEnd", "reason"],
    ["UserPromptSubmit", "prompt"],
    ["UserPromptSubmit", "attachments"],
    ["Stop", "last_message"],
    ["SubagentStart", "task"],
    ["SubagentStart", "agent_type"],
    ["SubagentStop", "last_message"],
    ["PreCompact", "trigger"],
    ["PostCompact", "trigger"],
    ["Notification", "message"],
    ["Notification", "notification_type"],
  ];
  let told = 0;
  for (const [event, field] of FIELDS) {
    test(`${event} keeps ${field} if the host has it`, () => {
      const given = createEvent(event);
      for (const host of hosts.filter(({ absentEvents }) => !absentEvents.includes(given.event))) {
        for (const { payload, native_event } of getSpeech(host.id).buildPayloads(given)) {
          const heard = decodeAsHost(host, payload, native_event) as unknown as Record<string, unknown>;
          expect([host.id, heard.event, heard.session_id, heard.cwd]).toEqual([
            host.id,
            event,
            host.id === "openclaw" && event === "SubagentStop" ? "agent:main:subagent:a-1" : "s-1",
            "/srv/it",
          ]);
          if (getFacts(host.id).keeps[event]?.includes(field))
            expect([host.id, heard[field]]).toEqual([host.id, SESSION_FIELDS[field]]);
          else expect([host.id, heard[field]]).not.toEqual([host.id, SESSION_FIELDS[field]]);
          told++;
        }
      }
    });
  }
  test("is tested in more than ten cases for a host with as many events", () => {
    const talkative = hosts.filter(({ capabilities }) => Object.keys(capabilities).length > 10);
    expect(told).toBeGreaterThan(10 * talkative.length);
  });

  test("Stop reports that the agent already continued if the host can", () => {
    const given = { ...baseEvent, event: "Stop", continuations: 2 } as AnyEvent;
    for (const host of hosts) {
      const { payload = {}, native_event = "" } = getSpeech(host.id).buildPayloads(given)[0] ?? {};
      const { isContinuing, continuations } = host.decodePayload(
        omitNulls(payload),
        native_event,
        getCapabilityRow(host, native_event),
      );
      expect([host.id, isContinuing ?? continuations]).toEqual([host.id, getFacts(host.id).continuing]);
    }
  });

  test("contains no text from the recordings", () => {
    for (const host of hosts)
      for (const event of EVENTS.filter((name) => !host.absentEvents.includes(name)))
        for (const { payload } of getSpeech(host.id).buildPayloads(
          createEvent(event, { last_message: undefined, task: undefined }),
        ))
          expect(JSON.stringify(payload)).not.toMatch(
            /FINAL TEXT|DONE|do it|SUMMARY|keep it short|marker\.txt|\/home\/dev\/app\b(?!\/\.)/,
          );
  });
});
