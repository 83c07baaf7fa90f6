import { hosts } from "../../src/hosts/index.ts";
import { deriveShapes } from "./derive-shapes.ts";

/** The forms of all hosts' payloads: a line for each host, its id, a tab, and JSON. */
export async function formatShapes(): Promise<string> {
  const lines: string[] = [];
  for (const host of hosts) lines.push(`${host.id}\t${JSON.stringify(await deriveShapes(host, hosts))}\n`);
  return lines.join("");
}

export const SHAPES_FILE = `${import.meta.dir}/../../src/run/quick/shapes.txt`;

if (import.meta.main) await Bun.write(SHAPES_FILE, await formatShapes());
