import { isAbsentError } from "../../system/errors.ts";
import type { FoundServer, Payload } from "../../protocol/host/host.ts";
import type { MachineContext } from "../../protocol/host/install.ts";
import { isObject } from "../../protocol/object.ts";
import { readConfigText } from "../setup/entries.ts";

type McpServer = readonly [name: string, config: Payload];

/**
 * Reads the MCP servers configured in a file; returns none if the file doesn't exist.
 * @throws Error when the file can't be read.
 */
function readServers(path: string): McpServer[] {
  let text: string;
  try {
    text = readConfigText(path);
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
  const config = Bun.JSONC.parse(text);
  const servers = isObject(config) ? config.mcpServers : undefined;
  return isObject(servers)
    ? Object.entries(servers).filter((entry): entry is [string, Payload] => isObject(entry[1]))
    : [];
}

const normalizeUrl = (url: string) => (URL.canParse(url) ? new URL(url).href : url).replace(/\/$/, "");

/**
 * Whether the payload's URL or command belongs to this server. Cursor sends a server's command along with its arguments
 * [seen @cursor/sdk 1.0.32, 2026-11-21].
 */
function matchesServer(payloadValue: string, { url, command, args }: Payload, isAddress: boolean): boolean {
  if (isAddress) return typeof url === "string" && normalizeUrl(url) === normalizeUrl(payloadValue);
  return payloadValue === command || payloadValue === [command, ...(Array.isArray(args) ? args : [])].join(" ");
}

/**
 * Whether the payload could belong to this server once Cursor expands variables such as `${env:NAME}` [docs
 * https://cursor.com/docs/mcp.md].
 */
function mayBeServerOf(payloadValue: string, { url, command, args }: Payload, isAddress: boolean): boolean {
  const configuredValue = isAddress ? String(url ?? "") : [command, ...(Array.isArray(args) ? args : [])].join(" ");
  const at = configuredValue.indexOf("${");
  return (
    at >= 0 &&
    payloadValue.startsWith(configuredValue.slice(0, at)) &&
    payloadValue.endsWith(configuredValue.slice(configuredValue.lastIndexOf("}") + 1))
  );
}

/** Shortens and quotes a server's name, which is untrusted, for use in a message. */
const formatServerName = (name: string) => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

/**
 * Finds the name of the server with this command or URL in Cursor's mcp.json files. The lookup fails if two names
 * match, because the call could be to either server. Otherwise a repository could hide a user's server by configuring
 * it again under another name, with variables that Cursor expands from the user's environment.
 */
export async function findServer(
  payload: Payload,
  { roots, home }: Pick<MachineContext, "roots" | "home">,
): Promise<FoundServer> {
  const key = ["url", "command"].find((field) => typeof payload[field] === "string" && payload[field] !== "");
  if (!key)
    return {
      why: 'the payload has neither "command" nor "url"',
      advice: 'use a Cursor release that sends "mcp_server_name", or match the tool on any server',
    };
  const payloadValue = String(payload[key]);
  const matchingServers = new Set<string>();
  const possibleServers = new Set<string>();
  for (const path of new Set([...roots, home].map((folder) => `${folder}/.cursor/mcp.json`))) {
    try {
      for (const [name, config] of readServers(path)) {
        if (matchesServer(payloadValue, config, key === "url")) matchingServers.add(name);
        else if (mayBeServerOf(payloadValue, config, key === "url")) possibleServers.add(name);
      }
    } catch {
      return { why: `${formatServerName(path)} can't be read`, advice: "fix or remove that file" };
    }
  }
  const [server] = matchingServers;
  const [, ...otherServers] = matchingServers.union(possibleServers);
  if (server === undefined)
    return { why: `no mcp.json has a server with this "${key}"`, advice: "add the server to ~/.cursor/mcp.json" };
  if (otherServers.length === 0) return { server };
  const names = [server, ...otherServers].slice(0, 4).map(formatServerName).join(" and ");
  return { why: `its "${key}" matches ${names}`, advice: "keep only one of these servers" };
}
