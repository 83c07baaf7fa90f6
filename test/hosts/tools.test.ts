import { describe, expect, test } from "bun:test";
import { buildTableCall } from "../../src/hosts/codec/native-payloads.ts";
import { getPatchableFields } from "../../src/hosts/codec/patch-call.ts";
import type { ToolTable } from "../../src/hosts/codec/tool-table.ts";
import { hosts } from "../../src/hosts/index.ts";
import { type AnyEvent, isToolCallEvent } from "../../src/protocol/event.ts";
import { getCapabilityRow, type Host, type Payload } from "../../src/protocol/host/host.ts";
import { buildCallPayload, getGateEvent } from "../support/fixtures.ts";

const VALUES: Payload = { timeout_ms: 7000, offset: 7, limit: 7, run_in_background: true };
const valueOf = (field: string) => VALUES[field] ?? `the ${field}`;

/** Decodes a call with the host's adapter. */
function heard(host: Host, tool_name: string, input: Payload): Extract<AnyEvent, { tool: unknown }> {
  const name = getGateEvent(host.id);
  const { event } = host.decodePayload(buildCallPayload(host.id, tool_name, input), name, getCapabilityRow(host, name));
  if (!isToolCallEvent(event)) throw new Error(`${host.id} ${tool_name} is not a call`);
  return event;
}

/** Returns the unified fields of a call. */
function inputOf(event: Extract<AnyEvent, { tool: unknown }>): Payload {
  if (event.tool !== "Edit") return { ...event.input };
  const [{ file_path, edits: [edit] = [] } = {}] = event.input.files;
  return { file_path, ...edit };
}

/** Returns a patch that changes one field. */
function patchOf(event: Extract<AnyEvent, { tool: unknown }>, field: string, value: unknown): Payload {
  if (event.tool !== "Edit") return { [field]: value };
  const { file_path, old_string, new_string } = { ...inputOf(event), [field]: value } as Record<string, string>;
  return { files: [{ file_path, operation: "update", edits: [{ old_string, new_string }] }] };
}

for (const host of hosts) {
  const { TOOLS } = (await import(`../../src/hosts/${host.id}/tools.ts`)) as { TOOLS: ToolTable };
  const tools = Object.entries(TOOLS).flatMap(([name, [tool, names]]) =>
    names ? [{ name, tool, names: Object.entries(names) }] : [],
  );
  /** Builds an input that has every field, each under the first of its names. */
  const fullOf = (names: readonly (readonly [string, string | readonly string[]])[]) =>
    Object.fromEntries(names.map(([field, name]) => [[name].flat()[0], valueOf(field)]));

  describe(`the tool table of ${host.name}`, () => {
    for (const { name, tool, names } of tools)
      test(`reads, rewrites and builds ${name} with the same field names`, () => {
        const input = fullOf(names);
        const event = heard(host, name, input);
        expect(event.tool).toBe(tool);
        const rewritten = getPatchableFields(TOOLS, name) ?? {};
        for (const [field, name_or_names] of names) {
          const { [[name_or_names].flat()[0] as string]: _, ...rest } = input;
          for (const native of [name_or_names].flat()) {
            const read = inputOf(heard(host, name, { ...rest, [native]: valueOf(field) }));
            expect([field, native, read[field]]).toEqual([field, native, valueOf(field)]);
          }
          const value = typeof valueOf(field) === "string" ? "another" : 9000;
          const known = { ...event, _native: buildCallPayload(host.id, name, field in rewritten ? input : rest) };
          const result = host.rewriteInput(known, patchOf(event, field, value), "allow");
          if (!(field in rewritten)) expect([field, result]).toEqual([field, { unsupported: expect.any(String) }]);
          else if (field !== "run_in_background")
            expect([field, inputOf(heard(host, name, "input" in result ? result.input : {}))[field]]).toEqual([
              field,
              value,
            ]);
        }
        // If several tools do the same thing, the first is reported.
        const [native] = buildTableCall(
          TOOLS,
          tool,
          Object.fromEntries(names.map(([field]) => [field, valueOf(field)])),
        );
        if (native?.tool_name === name) expect(native.tool_input).toEqual(input);
        else
          expect(Object.keys(TOOLS).indexOf(native?.tool_name as string)).toBeLessThan(
            Object.keys(TOOLS).indexOf(name),
          );
      });
    test("has more than two tools", () => expect(tools.length).toBeGreaterThan(2));
  });
}
