import { PLUGIN_FLAGS } from "../../protocol/host/plugin-entry.ts";
import type { Setup } from "../../protocol/host/install.ts";
import type { PackFile, PluginSpec } from "../../protocol/host/pack.ts";
import { buildHooksDocument, FILE_CARRIERS, formatJsonFile, PACK_SYSTEMS } from "./pack.ts";

/** The plugin's directory inside the marketplace. */
export const PLUGIN_FOLDER = "./plugins/bridge-hooks";

interface PluginFolder extends Pick<PackFile, "loadedSign" | "undo" | "notes" | "deployment"> {
  host: string;
  setup: Setup;
  /** The host-specific files, as pairs of path and content. */
  marketplace: { path: string; document: object };
  manifest: { path: string; document: object };
  /**
   * Events kept in a separate file that the manifest lists, so that a release that doesn't support them skips only that
   * file.
   */
  laterEvents?: readonly string[];
}

const NEWER_EVENTS_FILE = "hooks/later-events.json";

/**
 * Builds a marketplace with one plugin per system. A plugin has the same entries as a managed config. The entries refer
 * to the installed executable, because users could overwrite a copy inside the plugin's directory.
 */
export const buildPluginFolders = (
  { host, setup, marketplace, manifest, laterEvents = [], ...texts }: PluginFolder,
  spec: PluginSpec,
): PackFile[] =>
  PACK_SYSTEMS.flatMap((system) => {
    const hooks = Object.entries(buildHooksDocument(setup, spec, system, PLUGIN_FLAGS));
    const [knownEvents, addedEvents] = [false, true].map((isLaterEvent) =>
      Object.fromEntries(hooks.filter(([event]) => laterEvents.includes(event) === isLaterEvent)),
    ) as [object, object];
    const hasLater = Object.keys(addedEvents).length > 0;
    const { description } = spec;
    const folder = `${host}/${system}`;
    const common = { os: [system], by: FILE_CARRIERS[system] };
    const files = {
      [manifest.path]: { ...manifest.document, ...(hasLater && { hooks: `./${NEWER_EVENTS_FILE}` }) },
      "hooks/hooks.json": { description, hooks: knownEvents },
      ...(hasLater && { [NEWER_EVENTS_FILE]: { description, hooks: addedEvents } }),
    };
    return [
      { path: `${folder}/${marketplace.path}`, text: formatJsonFile(marketplace.document), ...texts, ...common },
      ...Object.entries(files).map(([path, document]) => ({
        path: `${folder}/${PLUGIN_FOLDER.slice(2)}/${path}`,
        text: formatJsonFile(document),
        deployment: "with the folder",
        ...common,
      })),
    ];
  });
