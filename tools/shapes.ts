import type { Host } from "../src/protocol/host/host.ts";
import { hosts } from "../src/hosts/index.ts";
import { type CallShape, MCP_FIELD } from "../src/call/screen/shapes.ts";
import { readFixtures } from "../test/support/fixtures.ts";
import { MCP_PREFIX } from "../src/protocol/concerns.ts";
import { deriveShapes } from "./derive-shapes.ts";

/** Fields that can hold the payload's tool name. */
const TOOL_FIELDS = ["tool_name", "toolName"];

/** Returns the tool name under which a shape is listed, or an empty string if its payloads don't name the tool. */
function getKey({ tool_name = "", payload: [fields] }: CallShape): string {
  const names = TOOL_FIELDS.map((field) => fields[field]);
  if (names.includes(MCP_FIELD)) return MCP_PREFIX;
  return names.includes(`=${tool_name}`) ? tool_name : "";
}

/**
 * Formats the shapes of all hosts' payloads as lines of tab-separated keys and JSON. Each line contains a host's shapes
 * for a native event, by tool name. If the first key is empty, the line contains parts that all shapes of a host share,
 * or lists of fields that may have any value.
 */
export async function formatShapes(): Promise<string> {
  const free: string[] = [];
  const shared: string[] = [];
  const own: string[] = [];
  const format = (...parts: string[]) => `${parts.join("\t")}\n`;
  for (const host of hosts) {
    const recorded = readFixtures(host).map(({ payload }) => payload);
    const { traits, events } = await deriveShapes(host, hosts, free, recorded);
    shared.push(format("", host.id, traits.neutralOutput, ...listRootNames(host), ...traits.variables));
    for (const [native_event, { event, shapes }] of events)
      for (const [tool, some] of Map.groupBy(shapes, getKey))
        own.push(format(host.id, native_event, tool, JSON.stringify({ event, shapes: some })));
  }
  const lists = free.map((list, at) => format("", `${at}`, list));
  return ["# Generated from the adapters: npm run shapes\n", ...lists, ...shared, ...own].join("");
}

const listRootNames = ({ project: { rootFields = [], rootVariables = [] } }: Host) =>
  [rootFields, rootVariables].map((names) => names.join(","));

export const SHAPES_FILE = `${import.meta.dir}/../src/hosts/shapes.txt`;

if (import.meta.main) await Bun.write(SHAPES_FILE, await formatShapes());
