import type { CallConditions } from "../../protocol/rule.ts";
import type { RuleExample } from "../rules.ts";

const toList = (value: unknown): string[] => [value].flat().map(String);

const formatArguments = (argumentPatterns: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(argumentPatterns)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

/** Formats a call as text, or the conditions of a rule about calls. Returns undefined for a rule about commands. */
export function describeConditions(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { path, access } = fields as Partial<CallConditions["path"]>;
  if (path !== undefined) return `${toList(access).join(" or ")} ${toList(path).join(" or ")}`;
  const { url, method } = fields as Partial<CallConditions["url"]>;
  if (url !== undefined) return `${method === undefined ? "" : `${method} `}${toList(url).join(" or ")}`;
  const { mcp, tool, arguments: argumentPatterns } = fields as CallConditions["tool"];
  if (mcp === undefined && tool === undefined) return undefined;
  const names = [...(mcp === undefined ? [] : [`MCP server ${mcp}`]), ...(tool === undefined ? [] : [`tool ${tool}`])];
  return `${names.join(", ")}${argumentPatterns === undefined ? "" : ` with ${formatArguments(argumentPatterns)}`}`;
}

/** Formats an example as one line. */
export const formatExample = (example: RuleExample): string =>
  typeof example === "string" ? example : (describeConditions(example) ?? JSON.stringify(example));
