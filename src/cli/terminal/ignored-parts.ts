import { openConfigFiles } from "../../policy/files.ts";
import { findIgnoredParts } from "../../policy/ignored-parts.ts";
import { describeTrust, listSome, NOT_TRUSTED } from "../../policy/check/rule-findings.ts";
import { escapeInvisible } from "../../operate/text.ts";
import type { HookSet } from "../find-hooks.ts";
import { formatPath } from "./layout.ts";
import { printWarning } from "./terminal.ts";

/** Notes on stderr which parts of the project's file have no effect, for commands that judge calls. */
export async function noteIgnoredParts({ entries }: HookSet, cwd: string): Promise<void> {
  const found = await findIgnoredParts(entries, openConfigFiles(cwd));
  // Of a file that is only proposed, the check of it has said so.
  if (!found || found.project.target !== undefined) return;
  const { project, untrusted, forbidden } = found;
  const note = (keys: readonly string[], why: string) =>
    keys.length > 0 &&
    printWarning(escapeInvisible(`note: ${formatPath(project.path)}: ${listSome(keys)}: ignored${why}`));
  note(
    untrusted.map((path) => path.join(".")),
    `: ${NOT_TRUSTED}${describeTrust(found)}`,
  );
  note(forbidden, " in a project's file; only your own and the managed file may say that");
}
