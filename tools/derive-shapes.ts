import { getCapabilityRow, type Host, type Payload } from "../src/protocol/host/host.ts";
import { omitNulls } from "../src/protocol/object.ts";
import { INDEXED_TOOLS, type IndexedTool, MCP_PREFIX } from "../src/protocol/concerns.ts";
import { type EventShapes, type HostTraits, MCP_FIELD } from "../src/call/screen/shapes.ts";
import { createSampleEvents } from "./sample-events.ts";
import { mayBeForeign, MISLEADING_TEXTS } from "./shape-signs.ts";
import {
  type FoundShape,
  isSampleOnly,
  includesShape,
  packShape,
  isObject,
  NO_VALUE,
  type Fields,
  withValue,
} from "./shape-fields.ts";

/** Shapes and traits derived from a host's payloads. */
export interface DerivedShapes {
  traits: Pick<HostTraits, "neutralOutput" | "variables">;
  /** Shapes by native event. */
  events: Map<string, EventShapes>;
}

/**
 * Determines the shapes of a host's payloads. Changes each field of a payload in turn and infers from the adapter's
 * result whether and how hooks use the field. If a change affects anything else, the shape requires the field's exact
 * value.
 *
 * @param hosts all hosts; a payload that fits a shape must not contain another host's sign
 * @param free is filled with lists of fields that may have any value, which all hosts share
 * @param recorded recorded payloads, which show the shapes of native-only events
 */
export async function deriveShapes(
  host: Host,
  hosts: readonly Host[],
  free: string[],
  recorded: readonly Payload[],
): Promise<DerivedShapes> {
  const codec = await host.loadScriptCodec();
  const samples = createSampleEvents().flatMap((event) => codec.buildPayloads(event));
  const unified = new Set(samples.map(({ native_event }) => native_event));
  const natives = recorded
    .map((payload) => ({ native_event: host.getEventName(omitNulls(payload)), payload }))
    .filter(({ native_event }) => !unified.has(native_event));
  const built = [...samples, ...natives];
  const otherHosts = hosts.filter(({ id }) => id !== host.id);
  const variables = new Set<string>();
  const found = new Map<string, FoundShape[]>();
  for (const { native_event, payload } of built)
    for (const hint of [undefined, native_event]) {
      const shape = new ShapeFinder(host, native_event, hint, payload).find(built.map((one) => one.payload));
      if (shape?.tool === "MCP" && !Object.values(shape.fields).includes(MCP_FIELD)) continue;
      if (!shape || isSampleOnly(shape.fields) || mayBeForeign(shape, payload, otherHosts, variables)) continue;
      const known = found.getOrInsertComputed(native_event, () => []);
      if (!known.some((one) => includesShape(one, shape))) known.push(shape);
      break;
    }
  const events = new Map(
    [...found].map(([native_event, shapes]) => {
      const [{ event }] = shapes as [FoundShape];
      if (shapes.some((one) => one.event !== event))
        throw new Error(`${host.id}: ${native_event} maps to several events`);
      const distinctShapes = shapes.filter(
        (shape) => !shapes.some((other) => other !== shape && includesShape(other, shape)),
      );
      return [native_event, { event, shapes: distinctShapes.map((shape) => packShape(shape, free)) }];
    }),
  );
  return { traits: { neutralOutput: host.neutralOutput, variables: [...variables] }, events };
}

/** Event fields that don't affect any hook's decision. */
const INFORMATIONAL =
  /^(?:session_id|transcript_path|model|permission_mode|agent_id|agent_type|host_version|tool_use_id|command_name|invoked_by|duration_ms|error|source|reason|message|notification_type|trigger|task|last_message|continuations|output|output\..*|input\.(?:description|timeout_ms|run_in_background|offset|limit)|input\.files\.0\.edits\.0\.old_string)$/;
/** Event fields that hooks base decisions on, with their roles. */
const ROLES: readonly [RegExp, string][] = [
  [/^cwd$/, "cwd"],
  [/^input\.command$/, "command"],
  [/^input\.cwd$/, "folder"],
  [/^input\.(?:files\.0\.)?file_path$/, "path"],
  [/^(?:prompt|input\.content|input\.files\.0\.edits\.0\.new_string)$/, "content"],
];
/** Fields that are null in the recordings but can have a value in real payloads. */
const FURTHER_FIELDS: Payload = { transcript_path: "/home/a/t.jsonl", user_email: "a@example.com" };
/** Other tool input fields that hosts send. */
const FURTHER_INPUTS: Payload = { replace_all: false, dangerouslyDisableSandbox: false, instruction: "i", timeout: 5 };

const MARK = "/mark/of/a/field";

const MCP_NAMES = ["a__b", "memory__search", "a-b__c_d", "a__b__c", "x__bash", "x__read_file"].map(
  (name) => MCP_PREFIX + name,
);
/** Determines the shape of a payload. */
class ShapeFinder {
  readonly #host: Host;
  readonly #native_event: string;
  readonly #hint: string | undefined;
  readonly #payload: Payload;

  constructor(host: Host, native_event: string, hint: string | undefined, payload: Payload) {
    this.#host = host;
    this.#native_event = native_event;
    this.#hint = hint;
    this.#payload = omitNulls(structuredClone(payload));
  }

  find(all: readonly Payload[]): FoundShape | undefined {
    const before = this.#decode(this.#payload);
    if (!before || before.native_event !== this.#native_event || before.guessed || before["input.shell"])
      return undefined;
    for (const other of all)
      for (const key in other)
        if (!Object.hasOwn(this.#payload, key) && other[key] !== null) this.#addIfHarmless([key], other[key]);
    for (const key in FURTHER_FIELDS)
      if (!Object.hasOwn(this.#payload, key)) this.#addIfHarmless([key], FURTHER_FIELDS[key]);
    for (const key in this.#payload)
      if (isObject(this.#payload[key]))
        for (const name in FURTHER_INPUTS)
          if (!Object.hasOwn(this.#payload[key] as Payload, name))
            this.#addIfHarmless([key, name], FURTHER_INPUTS[name]);
    const fields = this.#describe([], this.#payload);
    const { event, tool, tool_name } = this.#decode(this.#payload) as Pick<FoundShape, "event" | "tool" | "tool_name">;
    return {
      event,
      ...(tool !== undefined && { tool, tool_name }),
      ...(this.#hint !== undefined && { named: this.#hint }),
      fields,
    };
  }

  /**
   * Decodes a payload and flattens the event's fields, by path. Returns undefined if the adapter can't decode the
   * payload.
   */
  #decode(payload: Payload): Record<string, unknown> | undefined {
    try {
      const original = omitNulls(payload);
      const names = new Set([this.#hint, this.#native_event].map((hint) => this.#host.getEventName(original, hint)));
      // The payload might arrive through another event's entry, so the decoded event must not depend on the entry.
      if (this.#hint === undefined)
        for (const hint of [undefined, ...Object.keys(this.#host.capabilities)])
          names.add(this.#host.getEventName(original, hint));
      const [native_event = ""] = names;
      if (names.size !== 1) return undefined;
      const row = getCapabilityRow(this.#host, native_event, original);
      const { event } = this.#host.decodePayload(original, native_event, row);
      const found: Record<string, unknown> = { row: row.event };
      flatten({ ...event, _native: undefined }, "", found);
      return found;
    } catch {
      return undefined;
    }
  }

  /**
   * Lists the event paths that change with a payload field. Returns undefined if the adapter can't decode the changed
   * payload.
   */
  #change(
    path: readonly string[],
    value: unknown,
  ): { changedPaths: string[]; after: Record<string, unknown> } | undefined {
    const before = this.#decode(this.#payload);
    const after = this.#decode(withValue(this.#payload, path, value));
    if (!before || !after) return undefined;
    const changedPaths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (name) => before[name] !== after[name],
    );
    return { changedPaths, after };
  }

  #isHarmless(path: readonly string[], value: unknown): boolean {
    const seen = this.#change(path, value);
    if (!seen) return false;
    // Calls of other tools are skipped only if no hook subscribes to the event, so their input doesn't matter.
    const isUnread = typeof seen.after.tool === "string" && !INDEXED_TOOLS.includes(seen.after.tool as IndexedTool);
    return seen.changedPaths.every((name) => INFORMATIONAL.test(name) || (isUnread && name.startsWith("input.")));
  }

  /**
   * Returns the roles of a string field. Every event field that changes with it must have the same value as the field
   * itself.
   */
  #findRoles(path: readonly string[]): string | undefined {
    let found: string | undefined;
    for (const text of [MARK, ...MISLEADING_TEXTS]) {
      const seen = this.#change(path, text);
      // A prompt with an "@" is always passed to hooks that subscribe to prompts.
      const ignored = text.includes("@") ? /^attachments(?:\.|$)/ : INFORMATIONAL;
      const changedPaths = seen?.changedPaths.filter((name) => !INFORMATIONAL.test(name) && !ignored.test(name)) ?? [];
      const roles = changedPaths.map((name) => ROLES.find(([fits]) => fits.test(name))?.[1]);
      if (
        changedPaths.length === 0 ||
        changedPaths.some((name) => seen?.after[name] !== text) ||
        roles.includes(undefined)
      )
        return undefined;
      found ??= roles.join("+");
    }
    return found;
  }

  /** Whether a field holds only the name of an MCP tool and has no other meaning. */
  #isMcpName(path: readonly string[], value: unknown): boolean {
    if (typeof value !== "string" || !value.startsWith(MCP_PREFIX)) return false;
    return MCP_NAMES.every((name) => {
      const seen = this.#change(path, name);
      return (
        seen?.after.tool === "MCP" && seen.changedPaths.every((one) => one === "tool_name" || one.startsWith("input."))
      );
    });
  }

  #addIfHarmless(path: readonly string[], value: unknown): void {
    if (!this.#isHarmless(path, value)) return;
    const before = { ...this.#payload };
    Object.assign(this.#payload, withValue(this.#payload, path, value));
    const field = this.#describeField(path, value);
    if (typeof field === "string" && field.startsWith("?")) return;
    for (const key in this.#payload) delete this.#payload[key];
    Object.assign(this.#payload, before);
  }

  #describeList(path: readonly string[], value: readonly unknown[], optional: string): string {
    const isFirst = (list: readonly string[]) => {
      const seen = this.#change(path, list);
      const changedPaths = seen?.changedPaths.filter((name) => !INFORMATIONAL.test(name));
      return changedPaths?.join() === "cwd" && seen?.after.cwd === list[0];
    };
    if ([[], ["a"], ["a", MARK]].every((list) => this.#isHarmless(path, list))) return `${optional}l`;
    if ([[MARK], [MARK, "a"], ["/text", MARK]].every(isFirst)) return "l:cwd";
    return value.length === 0 ? "e" : NO_VALUE;
  }

  #describe(path: readonly string[], value: Payload): Fields {
    const found: Record<string, string | Fields> = {};
    for (const key in value) found[key] = this.#describeField([...path, key], value[key]);
    return found;
  }

  #describeField(path: readonly string[], value: unknown): string | Fields {
    const optional = this.#isHarmless(path, undefined) ? "?" : "";
    const isAny = (values: readonly unknown[]) => values.every((one) => this.#isHarmless(path, one));
    const known = listEventNames(this.#host);
    const names = typeof value === "string" && known.includes(value) ? known : [];
    if (isAny([{}, { a: { b: [1] } }, [], ["a"], "text", "", 5, -1, true, false, ...names])) return `${optional}x`;
    if (this.#isMcpName(path, value)) return MCP_FIELD;
    if (typeof value === "number" && isAny([0, 5, -1, 0.5, 1e15])) return `${optional}n`;
    if (typeof value === "boolean" && isAny([true, false])) return `${optional}b`;
    if (typeof value === "string") {
      if (isAny(["", "text", "2026-01-01T00:00:00.000Z", "{}", MARK, "/.gemini/tmp/", ...names])) return `${optional}s`;
      const roles = this.#findRoles(path);
      return roles === undefined ? `=${value}` : `s:${roles}`;
    }
    if (Array.isArray(value)) return this.#describeList(path, value, optional);
    return isObject(value) ? this.#describe(path, value) : `!${JSON.stringify(value)}`;
  }
}

/** Lists a host's event names as spelled in all of its versions: `PreToolUse`, `preToolUse` and `pre_tool_use`. */
const listEventNames = ({ capabilities }: Host): string[] =>
  Object.keys(capabilities).flatMap((name) => [
    name,
    name.charAt(0).toLowerCase() + name.slice(1),
    name.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(),
  ]);

function flatten(value: unknown, path: string, found: Record<string, unknown>): void {
  if (typeof value !== "object" || value === null) {
    if (value !== undefined) found[path] = value;
    return;
  }
  for (const key in value) flatten((value as Payload)[key], path === "" ? key : `${path}.${key}`, found);
}
