import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Host, Payload } from "../../protocol/host/host.ts";
import { matchHook } from "../../protocol/match.ts";
import { hasConfigFile } from "../../policy/sources.ts";
import { homedir } from "../../system/home.ts";
import { listProjectFolders } from "../../protocol/project.ts";

/**
 * Adds an MCP call's server to the event if a hook matches on servers or if rules about servers may exist in config
 * files. Returns a warning if the server is unknown and a hook matches on it.
 */
export async function resolveServer(
  hooks: readonly HookDescriptor[],
  event: Extract<AnyEvent, { tool: "MCP" }>,
  host: Host,
  payload: Payload,
): Promise<{ event: AnyEvent; warning?: string }> {
  const hookNames = hooks.filter((hook) => matchHook(hook, event) === "server").map(({ name }) => `"${name}"`);
  if (hookNames.length === 0 && !hasConfigFile(listProjectFolders(event))) return { event };
  const lookup = await host.findServer?.(payload, { roots: listProjectFolders(event), home: homedir() });
  if (lookup && "server" in lookup) return { event: { ...event, input: { ...event.input, server: lookup.server } } };
  if (hookNames.length === 0) return { event };
  const cause = lookup ? ` (${lookup.why})` : "";
  const advice = lookup?.advice ?? "match only the tool name, or decide in the handler";
  const tool = JSON.stringify(event.input.tool.slice(0, 80));
  return {
    event,
    warning: `can't tell which MCP server provides tool ${tool}${cause}, so ${hookNames.length === 1 ? "this hook" : "these hooks"} ran: ${hookNames.join(", ")}; ${advice}`,
  };
}
