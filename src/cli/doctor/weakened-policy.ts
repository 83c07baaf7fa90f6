import { listWeakenedParts } from "../../call/session/weakened-parts.ts";
import { createNote } from "../../hosts/setup/findings.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Maximum number of parts that a finding names. */
const MAX_PARTS = 6;

/** On a machine with a managed config file, reports what the user's own file weakens, because no lock prevents it. */
export async function checkWeakenedPolicy(entries: readonly HookDescriptor[], cwd: string): Promise<Finding[]> {
  const parts = await listWeakenedParts(entries, [cwd]);
  if (parts.length === 0) return [];
  const more = parts.length > MAX_PARTS ? ` and ${parts.length - MAX_PARTS} more` : "";
  return [
    createNote(
      "policy-weakened",
      `the user's config file changes the policy of this machine: ${parts.slice(0, MAX_PARTS).join(", ")}${more}`,
      "the managed file doesn't lock these parts, so calls that the policy would deny may be allowed",
      `to see every value: ${getOwnCommand()} config show --origin; to prevent changes: "locked": true in the managed file`,
    ),
  ];
}
