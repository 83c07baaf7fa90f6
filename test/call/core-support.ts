import { hosts } from "../../src/hosts/index.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Host, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { lowerResponse } from "../../src/protocol/lower.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { getHostOptionValues } from "../../src/call/options.ts";

export const getHost = (id: string) => hosts.find((known) => known.id === id) as Host;

/** No SDK release includes Tab, so this payload is modeled on the one for the agent's own file reads. */
export const TAB_PAYLOAD = { hook_event_name: "beforeTabFileRead" };

export function encodeResponse(event: AnyEvent, response: IHookResponse, options = {}) {
  const target = getHost(event.host);
  const row = getCapabilityRow(target, event.native_event, event._native);
  const settings = getHostOptionValues(target, options);
  const { lowered, losses } = lowerResponse(response, { host: target, row, event, settings });
  const { stdout, stderr, exit_code } = target.encodeAnswer(lowered, row.shape, event.native_event, settings);
  return {
    stdout: stdout && JSON.parse(stdout),
    stderr,
    exit_code,
    losses: losses.map(({ field, support }) => `${field} ${support}`),
  };
}
