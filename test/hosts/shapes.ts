import { hosts } from "../../src/hosts/index.ts";
import { deriveShapes } from "./derive-shapes.ts";

/**
 * The forms of all hosts' payloads, as lines with tabs between keys and JSON: the forms of a host at a native event; and
 * with no host as the first key what all forms of a host share, and the lists of fields that may be anything.
 */
export async function formatShapes(): Promise<string> {
  const free: string[] = [];
  const shared: string[] = [];
  const own: string[] = [];
  const format = (...parts: string[]) => `${parts.join("\t")}\n`;
  for (const host of hosts) {
    const { traits, events } = await deriveShapes(host, hosts, free);
    shared.push(format("", host.id, JSON.stringify(traits)));
    for (const [native_event, shapes] of events) own.push(format(host.id, native_event, JSON.stringify(shapes)));
  }
  const lists = free.map((list, at) => format("", `${at}`, list));
  return ["# Generated from the adapters: npm run shapes\n", ...lists, ...shared, ...own].join("");
}

export const SHAPES_FILE = `${import.meta.dir}/../../src/hosts/shapes.txt`;

if (import.meta.main) await Bun.write(SHAPES_FILE, await formatShapes());
