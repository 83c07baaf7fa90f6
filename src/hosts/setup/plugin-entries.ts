import type { DoctorContext, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { createNote, formatPaths } from "./findings.ts";

const formatPlugins = (files: readonly LoadedConfigFile[]) =>
  [...new Set(files.map(({ plugin }) => plugin?.id))].join(", ");

/**
 * Notes entries that come from a plugin, if there are others beside them or if users or projects can turn the plugin
 * off.
 */
export const notePluginEntries =
  (name: string) =>
  ({ files }: DoctorContext): Finding[] => {
    const ours = files.filter((file) => file.ownEntries.length > 0);
    const [brought, own] = [ours.filter(({ plugin }) => plugin), ours.filter(({ plugin }) => !plugin)];
    if (brought.length === 0) return [];
    if (own.length > 0)
      return [
        createNote(
          "plugin-beside-entries",
          `${name} calls bridge-hooks from the plugin ${formatPlugins(brought)}, and from ${formatPaths(own)}`,
          "each call starts one process more; the plugin's entries stand down, unless they deny, ask or rewrite",
          `none needed; to have one of them only: ${brought[0]?.plugin?.removal}, or bridge-hooks uninstall`,
        ),
      ];
    const loose = brought.filter(({ plugin }) => !plugin?.isManaged);
    return loose.length === 0
      ? []
      : [
          createNote(
            "plugin-not-managed",
            `${name} calls bridge-hooks only from the plugin ${formatPlugins(loose)}, which no administrator manages`,
            "whoever may write to its folder, or turn it off, decides what passes",
            "have managed settings turn it on, or install entries as well: bridge-hooks install",
          ),
        ];
  };
