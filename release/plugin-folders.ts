import { findHooks } from "../src/cli/find-hooks.ts";
import { hosts } from "../src/hosts/index.ts";
import { buildPluginFiles } from "../src/operate/mdm/plugin.ts";
import { DEFAULT_PROGRAM_PATHS } from "../src/operate/mdm/programs.ts";
import { createZip } from "./archive.ts";
import type { PutFile, Release } from "./release.ts";

/**
 * Adds the same marketplace directories that `mdm --plugin` would write. Their entries call the executable where the
 * release's packages install it.
 *
 * @param hooks directory of the compiled-in hooks
 */
export async function addPluginFolders(release: Release, hooks: string, put: PutFile): Promise<void> {
  const { entries } = await findHooks(hooks);
  const order = { programs: DEFAULT_PROGRAM_PATHS, on_error: "deny", hooks: entries, events: [] } as const;
  const folder = `${release.name}-${release.version}-plugin`;
  const files = (await buildPluginFiles(order, hosts)).map(({ path, text }) => ({
    path: `${folder}/${path}`,
    content: text,
  }));
  put(`${folder}.zip`, createZip(files, release));
}
