import { openConfigFiles } from "../../policy/files.ts";
import { findIgnoredParts } from "../../policy/ignored-parts.ts";
import { describeTrust, formatFirstNames, NOT_TRUSTED_REASON } from "../../policy/check/rule-findings.ts";
import { escapeInvisible } from "../../operate/text.ts";
import type { HookSet } from "../find-hooks.ts";
import { formatPath } from "./layout.ts";
import { printWarning } from "./terminal.ts";

/**
 * Prints notes on stderr about parts of the project's file that have no effect. Called by commands that judge calls.
 */
export async function noteIgnoredParts({ entries }: HookSet, cwd: string): Promise<void> {
  const ignoredParts = await findIgnoredParts(entries, openConfigFiles(cwd));
  // A proposed file's ignored parts were already reported by `config check`.
  if (!ignoredParts || ignoredParts.project.target !== undefined) return;
  const { project, untrusted, forbidden } = ignoredParts;
  const note = (keys: readonly string[], reason: string) =>
    keys.length > 0 &&
    printWarning(escapeInvisible(`note: ${formatPath(project.path)}: ${formatFirstNames(keys)}: ignored${reason}`));
  note(
    untrusted.map((path) => path.join(".")),
    `: ${NOT_TRUSTED_REASON}${describeTrust(ignoredParts)}`,
  );
  note(forbidden, " in a project's file; set it in your own config file or the managed file");
}
