import { type Host, isBasedOnRun } from "../../protocol/host/host.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import type { UnusableFile } from "./config-files.ts";
import type { EntryReport } from "./report.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Reports hosts that have no entries or were never seen to enforce a denial. */
export async function checkEvidence(
  host: Host,
  entries: readonly EntryReport[],
  unusable: readonly UnusableFile[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const unusableFile = unusable.find(({ file }) => file.scope === "user")?.file;
  if (entries.length === 0 && !unusable.some(({ mayHaveEntries }) => mayHaveEntries))
    findings.push(
      createRedFinding(
        "not-installed",
        `${host.name} has no bridge-hooks entry`,
        "none of its calls are guarded",
        `${unusableFile ? `correct ${unusableFile.path}, then run: ` : ""}${getOwnCommand()} install --host ${host.id}`,
      ),
    );
  if (!(await isBasedOnRun(host)))
    findings.push(
      createNote(
        "never-run",
        `${host.name} has never been tested with bridge-hooks`,
        "support is based on documentation; no test has shown that the host enforces denials",
        "let the host try something that a hook denies, and check that the call is blocked",
      ),
    );
  return findings;
}
