import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";

export const ROOT = join(import.meta.dir, "../..");
export const EXECUTABLE = join(ROOT, "dist", process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks");

/** A payload that a real host sent; of Grok Build, a few are written from its guide. */
export interface Fixture {
  host: Host;
  /** The directory's name, i.e. the release that sent it. */
  version: string;
  file: string;
  text: string;
  payload: Payload;
}

/** The recorded payloads of a host. */
export function readFixtures(host: Host): Fixture[] {
  const folder = join(ROOT, "test/hosts", host.id, "recordings");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return {
        host,
        version: dirname(file),
        file: basename(file, ".json"),
        text,
        payload: JSON.parse(text) as Payload,
      };
    });
}

export const fixtures: readonly Fixture[] = hosts.flatMap(readFixtures);

/** A recorded payload of the newest release that has it, with some fields changed. */
export function getPayload(host: string, file: string, change: Payload = {}): Payload {
  const found = fixtures.findLast((fixture) => fixture.host.id === host && fixture.file === file);
  if (!found) throw new Error(`no recorded payload ${file} of ${host}`);
  return { ...found.payload, ...change };
}

/** The same, decoded by its host's adapter. */
export function decodeFixture(id: string, file: string, change: Payload = {}): AnyEvent {
  const host = hosts.find((known) => known.id === id) as Host;
  const payload = omitNulls(getPayload(id, file, change));
  const name = host.getEventName(payload);
  return host.decodePayload(payload, name, getCapabilityRow(host, name)).event;
}

const GATE_EVENTS: Readonly<Record<string, string>> = {
  cursor: "preToolUse",
  gemini: "BeforeTool",
  opencode: "tool.execute.before",
  openclaw: "before_tool_call",
};
/** The native event before a tool call. */
export const getGateEvent = (id: string) => GATE_EVENTS[id] ?? "PreToolUse";

/** A host's payload before a tool call. */
export function buildCallPayload(id: string, tool_name: unknown, input: unknown): Payload {
  const event = getGateEvent(id);
  if (id === "opencode")
    return { host: id, event, cwd: "/", input: { tool: tool_name }, output: { args: input }, mcp: [] };
  if (id === "openclaw") return { host: id, event, cwd: "/", toolName: tool_name, params: input, ctx: {} };
  return { hook_event_name: event, session_id: "s", cwd: "/", tool_name, tool_input: input };
}
