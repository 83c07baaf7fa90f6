import type { DoctorContext, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { createNote, formatPaths } from "./findings.ts";

const formatPlugins = (files: readonly LoadedConfigFile[]) =>
  [...new Set(files.map(({ plugin }) => plugin?.id))].join(", ");

/**
 * Adds a note about entries from a plugin if the host also has other entries, or if users or projects can turn the
 * plugin off.
 */
export const notePluginEntries =
  (name: string) =>
  ({ files }: DoctorContext): Finding[] => {
    const filesWithEntries = files.filter((file) => file.ownEntries.length > 0);
    const [pluginFiles, ownFiles] = [
      filesWithEntries.filter(({ plugin }) => plugin),
      filesWithEntries.filter(({ plugin }) => !plugin),
    ];
    if (pluginFiles.length === 0) return [];
    if (ownFiles.length > 0)
      return [
        createNote(
          "plugin-beside-entries",
          `${name} calls bridge-hooks from the plugin ${formatPlugins(pluginFiles)}, and from ${formatPaths(ownFiles)}`,
          "each call starts an extra process; the plugin's entries stay silent unless they deny, ask or rewrite",
          `none needed; to keep only one set of entries, run ${pluginFiles[0]?.plugin?.removal} or bridge-hooks uninstall`,
        ),
      ];
    const unmanagedFiles = pluginFiles.filter(({ plugin }) => !plugin?.isManaged);
    return unmanagedFiles.length === 0
      ? []
      : [
          createNote(
            "plugin-not-managed",
            `${name} calls bridge-hooks only from the plugin ${formatPlugins(unmanagedFiles)}, which no administrator manages`,
            "anyone who can write to the plugin's directory or disable the plugin controls which calls run",
            "enable the plugin in managed settings, or also install entries: bridge-hooks install",
          ),
        ];
  };
