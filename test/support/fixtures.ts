import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Host, type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { getFacts } from "../hosts/host-facts.ts";

export const ROOT = join(import.meta.dir, "../..");
export const EXECUTABLE = join(ROOT, "dist", process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks");

/** A payload recorded from a real host. A few payloads of Grok Build are written from its guide. */
export interface Fixture {
  host: Host;
  /** Name of the recording's directory: the release that sent the payload. */
  version: string;
  file: string;
  text: string;
  payload: Payload;
}

/** Reads the recorded payloads of a host. */
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

/** Returns the recorded payload with this file name from the latest release that has one, with some fields changed. */
export function getPayload(host: string, file: string, change: Payload = {}): Payload {
  const found = fixtures.findLast((fixture) => fixture.host.id === host && fixture.file === file);
  if (!found) throw new Error(`no recorded payload ${file} of ${host}`);
  return { ...found.payload, ...change };
}

/** Returns a recorded payload with some fields changed, decoded by its host's adapter. */
export function decodeFixture(id: string, file: string, change: Payload = {}): AnyEvent {
  const host = hosts.find((known) => known.id === id) as Host;
  const payload = omitNulls(getPayload(id, file, change));
  const name = host.getEventName(payload);
  return host.decodePayload(payload, name, getCapabilityRow(host, name)).event;
}

/** Returns the native event before a tool call. */
export const getGateEvent = (id: string): string => getFacts(id).shell.event;

/** Builds a host's payload before a tool call, with as few fields as possible. */
export function buildCallPayload(id: string, tool_name: unknown, input: unknown): Payload {
  const { buildCall, shell } = getFacts(id);
  if (buildCall) return buildCall(tool_name, input);
  return { hook_event_name: shell.event, session_id: "s", cwd: "/", tool_name, tool_input: input };
}

/** Rewrites the host's recorded shell call as another call. */
export function changeRecordedCall(id: string, tool_name: unknown, input: unknown): Payload {
  const { shell, change } = getFacts(id);
  const recorded = getPayload(id, shell.file);
  return { ...recorded, ...(change?.(tool_name, input, recorded) ?? { tool_name, tool_input: input }) };
}
