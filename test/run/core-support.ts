import { hosts } from "../../src/hosts/index.ts";
import type { AnyEvent } from "../../src/protocol/event.ts";
import { type Host, rowOf } from "../../src/protocol/host/host.ts";
import { lower } from "../../src/protocol/lower.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { settingsOf } from "../../src/run/options.ts";

export const host = (id: string) => hosts.find((known) => known.id === id) as Host;

/** No release of the SDK has Tab: the same form as a read of the agent. */
export const TAB = { hook_event_name: "beforeTabFileRead" };

export function answer(event: AnyEvent, response: IHookResponse, options = {}) {
  const target = host(event.host);
  const row = rowOf(target, event.native_event, event._native);
  const settings = settingsOf(target, options);
  const { lowered, losses } = lower(response, { host: target, row, event, settings });
  const { stdout, stderr, exit_code } = target.encode(lowered, row.shape, event.native_event, settings);
  return {
    stdout: stdout && JSON.parse(stdout),
    stderr,
    exit_code,
    losses: losses.map(({ field, support }) => `${field} ${support}`),
  };
}
