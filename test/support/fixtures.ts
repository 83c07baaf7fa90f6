import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { withoutNulls } from "../../src/hosts/wire.ts";

export const ROOT = join(import.meta.dir, "../..");
export const EXECUTABLE = join(ROOT, "dist", process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks");

/** A payload that a real host sent. */
export interface Fixture {
  host: Host;
  /** The folder's name: which release sent it. */
  version: string;
  file: string;
  text: string;
  payload: Payload;
}

/** The recorded payloads of a host. */
export function fixturesOf(host: Host): Fixture[] {
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

export const fixtures: readonly Fixture[] = hosts.flatMap(fixturesOf);

/** One recorded payload of the newest release that has it, with some fields changed. */
export function payloadOf(host: string, file: string, change: Payload = {}): Payload {
  const found = fixtures.findLast((fixture) => fixture.host.id === host && fixture.file === file);
  if (!found) throw new Error(`no recorded payload ${file} of ${host}`);
  return { ...found.payload, ...change };
}

/** Such a payload as its host's decoder gives it. */
export function eventOf(id: string, file: string, change: Payload = {}): AnyEvent {
  const host = hosts.find((known) => known.id === id) as Host;
  const payload = withoutNulls(payloadOf(id, file, change));
  const name = host.eventName(payload);
  return host.decode(payload, name, rowOf(host, name)).event;
}

const GATES: Readonly<Record<string, string>> = {
  cursor: "preToolUse",
  gemini: "BeforeTool",
  opencode: "tool.execute.before",
  openclaw: "before_tool_call",
};
/** The native event before a call. */
export const gateOf = (id: string) => GATES[id] ?? "PreToolUse";

/** A call before it runs, as the host tells of it. */
export function callOf(id: string, tool_name: unknown, input: unknown): Payload {
  const event = gateOf(id);
  if (id === "opencode")
    return { host: id, event, cwd: "/", input: { tool: tool_name }, output: { args: input }, mcp: [] };
  if (id === "openclaw") return { host: id, event, cwd: "/", toolName: tool_name, params: input, ctx: {} };
  return { hook_event_name: event, session_id: "s", cwd: "/", tool_name, tool_input: input };
}
