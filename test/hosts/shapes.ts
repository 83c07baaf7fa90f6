import { hosts } from "../../src/hosts/index.ts";
import { deriveShapes } from "./derive-shapes.ts";

/**
 * The forms of all hosts' payloads, as lines with two keys and JSON, with tabs between: the forms of a host at a native
 * event; and without a host, what all forms of a host share, and the lists of fields that may be anything.
 */
export async function formatShapes(): Promise<string> {
  const free: string[] = [];
  const shared: string[] = [];
  const own: string[] = [];
  const format = (...[first, second, value]: [string, string, unknown]) =>
    `${first}\t${second}\t${JSON.stringify(value)}\n`;
  for (const host of hosts) {
    const { traits, events } = await deriveShapes(host, hosts, free);
    shared.push(format("", host.id, traits));
    for (const [native_event, shapes] of events) own.push(format(host.id, native_event, shapes));
  }
  const lists = free.map((list, at) => format("", `${at}`, list));
  return ["# Generated from the adapters: npm run shapes\n", ...lists, ...shared, ...own].join("");
}

export const SHAPES_FILE = `${import.meta.dir}/../../src/hosts/shapes.txt`;

if (import.meta.main) await Bun.write(SHAPES_FILE, await formatShapes());
