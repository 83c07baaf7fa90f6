import { describe, expect, test } from "bun:test";
import { describeAnnouncer } from "../../../src/call/session/announce.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { selectSubscriptions } from "../../../src/operate/machine/desired-entries.ts";
import { getCells, pickCell } from "../../../src/protocol/capability.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { createHookEntry } from "../../support/homes.ts";

describe.each(hosts)("on $id, an entry for the start of a session is needed", (host) => {
  const list = async (...hooks: Parameters<typeof selectSubscriptions>[2]) =>
    selectSubscriptions(host, await host.setup(), hooks, [])
      .map(({ native_event }) => native_event)
      .filter((native_event) => getCapabilityRow(host, native_event).event === "SessionStart");
  const guard = createHookEntry(["PreToolUse"]);
  const starter = createHookEntry(["SessionStart"]);

  test("by no hook that subscribes only to other events", async () => expect(await list(guard)).toEqual([]));

  test("to announce the active policy, if the announcement reaches a reader", async () => {
    const all = await list(starter);
    for (const [audience, fields] of [
      ["user", ["user_message"]],
      ["model", ["additional_context"]],
      ["both", ["user_message", "additional_context"]],
    ] as const) {
      const useful = all.filter((native_event) => {
        const row = getCapabilityRow(host, native_event);
        return fields.some((field) => pickCell(getCells(row, field), undefined).support !== "drop");
      });
      expect(await list(guard, describeAnnouncer(audience))).toEqual(useful);
      expect(await list(starter, describeAnnouncer(audience))).toEqual(all);
    }
  });
});
