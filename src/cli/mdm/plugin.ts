import { resolve } from "node:path";
import type { Host } from "../../protocol/host/host.ts";
import { formatCount } from "../../operate/text.ts";
import { writePack } from "../../operate/mdm/mdm.ts";
import { buildPluginFiles } from "../../operate/mdm/plugin.ts";

/** Writes a plugin's marketplace directories and returns a summary. */
export async function writePluginFolders(
  folder: string,
  order: Parameters<typeof buildPluginFiles>[0],
  hosts: readonly Host[],
): Promise<string> {
  const files = writePack(resolve(folder), await buildPluginFiles(order, hosts));
  return `${files.join("\n")}\n\n${formatCount(files.length, "file is", "files are")} in ${folder}; start with its README.md.\n`;
}
