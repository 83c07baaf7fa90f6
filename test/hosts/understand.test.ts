import { describe, expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { isToolCallEvent } from "../../src/protocol/event.ts";
import { getFacts } from "./host-facts.ts";
import { getSpeech, recordedEvents } from "./speak-support.ts";

describe("a script's answer", () => {
  const answers = hosts.flatMap(({ id }) => getFacts(id).answers.map((answer) => [id, ...answer] as const));
  for (const [id, native_event, stdout, stderr, exit_code, expected] of answers) {
    test(`on ${id} ${native_event} with exit code ${exit_code} ${typeof expected === "string" ? "fails" : "is understood"}: ${stdout || stderr || "nothing"}`, () => {
      const samples = recordedEvents.filter((one) => one.host.id === id && one.native_event === native_event);
      const { payload = {} } =
        samples.findLast(({ event }) => isToolCallEvent(event) && event.tool === "Bash") ?? samples[0] ?? {};
      const understand = () => getSpeech(id).parseAnswer({ native_event, payload }, { stdout, stderr, exit_code });
      if (typeof expected === "string") expect(understand).toThrow(expected);
      else expect(understand()).toEqual(expected);
    });
  }
  test("is tested in at least six cases for every host", () => {
    for (const { id } of hosts) expect([id, getFacts(id).answers.length >= 6]).toEqual([id, true]);
  });
});
