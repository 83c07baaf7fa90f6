import { accessSync, constants, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { getLogFile, isLogFile } from "../../call/log/log-path.ts";
import { findLogSources } from "../../call/log/log-sources.ts";
import { createNote } from "../../hosts/setup/findings.ts";
import { readNotifyProblem } from "../../operate/notify/notify.ts";
import { countLosses, formatLosses } from "../../operate/log/losses.ts";
import { readLogSettings } from "../../policy/log.ts";
import type { Env } from "../../protocol/host/host.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { describeError, orAbsent } from "../../system/errors.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Checks that the decision log is writable, and reports lost lines. */
export async function checkDecisionLog(env: Env): Promise<Finding[]> {
  const { settings } = await readLogSettings(findLogSources());
  if (settings.level === "off") return [];
  const file = getLogFile(env);
  const findings: Finding[] = [];
  const problem = explainUnwritable(file);
  if (problem !== undefined)
    findings.push(
      createNote(
        "log-unwritable",
        `${file}: ${problem}`,
        "decisions still apply but aren't logged",
        "make it a regular file owned by this user, in a writable directory",
      ),
    );
  const lossSummary = formatLosses(readLogLosses(env));
  if (lossSummary !== undefined)
    findings.push(
      createNote(
        "log-lines-lost",
        `the decision log is incomplete: ${lossSummary}`,
        "some past decisions can't be looked up",
        `check for a full disk, a memory limit or a host that kills hooks; to delete old lines: ${getOwnCommand()} log delete`,
      ),
    );
  const { notify } = settings;
  const notifyProblem = notify.webhook || notify.webhookFile || notify.desktop ? readNotifyProblem(env) : undefined;
  if (notifyProblem !== undefined)
    findings.push(
      createNote(
        "denial-not-told",
        `a denial notification failed: ${notifyProblem}`,
        "the call was denied, but the receiver was not notified",
        `fix log.notify in the config, then run: ${getOwnCommand()} export --notify --trial`,
      ),
    );
  return findings;
}

function readLogLosses(env: Env) {
  try {
    const { irregular: _, ...losses } = countLosses(env);
    return losses;
  } catch {
    // Another finding reports an unreadable log.
    return { details: 0, unwritten: 0 };
  }
}

/** Explains why no line can be written. A missing directory is fine, because writing the first line creates it. */
function explainUnwritable(file: string): string | undefined {
  try {
    const stats = orAbsent(() => lstatSync(file));
    if (stats && !isLogFile(stats)) return "not a regular file with a single link";
    for (let path = stats ? file : dirname(file); ; path = dirname(path)) {
      if (!orAbsent(() => lstatSync(path))) continue;
      accessSync(path, constants.W_OK);
      return undefined;
    }
  } catch (error) {
    return describeError(error);
  }
}
