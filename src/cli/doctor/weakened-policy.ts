import { listWeakenedParts } from "../../call/session/weakened-parts.ts";
import { createNote } from "../../hosts/setup/findings.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Maximum number of parts that a finding names. */
const MAX_PARTS = 6;

/**
 * On a machine with a managed config file, reports the parts of the policy that the user's own file weakens because
 * they aren't locked.
 */
export async function checkWeakenedPolicy(entries: readonly HookDescriptor[], cwd: string): Promise<Finding[]> {
  const parts = await listWeakenedParts(entries, [cwd]);
  if (parts.length === 0) return [];
  const more = parts.length > MAX_PARTS ? ` and ${parts.length - MAX_PARTS} more` : "";
  return [
    createNote(
      "policy-weakened",
      `the user's config file changes this machine's policy: ${parts.slice(0, MAX_PARTS).join(", ")}${more}`,
      "the managed file doesn't lock these parts, so calls that the policy would deny may be allowed",
      `to see every value, run ${getOwnCommand()} config show --origin; to prevent changes, set "locked": true in the managed file`,
    ),
  ];
}
