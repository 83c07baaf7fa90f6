import { hosts } from "../../src/hosts/index.ts";
import { deriveShapes } from "./derive-shapes.ts";

/** The forms of all hosts' payloads: a line for each native event: host, event, and JSON, with tabs between. */
export async function formatShapes(): Promise<string> {
  const lines = ["# Generated from the adapters: npm run shapes\n"];
  for (const host of hosts)
    for (const [native_event, shapes] of await deriveShapes(host, hosts))
      lines.push(`${host.id}\t${native_event}\t${JSON.stringify(shapes)}\n`);
  return lines.join("");
}

export const SHAPES_FILE = `${import.meta.dir}/../../src/hosts/shapes.txt`;

if (import.meta.main) await Bun.write(SHAPES_FILE, await formatShapes());
