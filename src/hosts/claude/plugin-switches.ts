import type { DoctorContext, Finding } from "../../protocol/host/install.ts";
import { collectEntries } from "../setup/entries.ts";
import { createRedFinding } from "../setup/findings.ts";
import { listDisabledPlugins } from "./installed-plugins.ts";

/**
 * Finds plugins with entries for Claude Code that a project's settings disable [seen 2.1.197 and 2.1.332, 2026-11-29].
 */
export const findPluginSwitches = ({ machine, files }: DoctorContext): Finding[] =>
  listDisabledPlugins(machine, files)
    .filter(({ documents }) =>
      documents
        .flatMap((document) => collectEntries(document, "groups"))
        .some(({ command, args = [] }) => /(^|\s)--host[\s=]claude(\s|$)/.test([command, ...args].join(" "))),
    )
    .map(({ id, by }) =>
      createRedFinding(
        "plugin-off",
        `${by} disables the plugin ${id}`,
        "none of the plugin's entries run in this project",
        `remove ${id} from enabledPlugins in that file, or enable the plugin in managed settings`,
      ),
    );
