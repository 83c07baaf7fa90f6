import { getProjectPath, type LogLine } from "../../call/log/log-line.ts";
import { findLogSources } from "../../call/log/log-sources.ts";
import { countLosses, formatLosses } from "../../operate/log/losses.ts";
import { findLastDenial } from "../../operate/log/select-lines.ts";
import { readLogSettings } from "../../policy/log.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Where the chosen denial comes from: the current project, or any project if the current one has no denials. */
export type ChosenDenial = "last-in-project" | "last-of-all";

/**
 * Finds the denial that the user most likely means.
 * @throws Error that says what to do, if no denial exists.
 */
export async function requireLastDenial(): Promise<{ line: LogLine; chosen: ChosenDenial }> {
  const denials = findLastDenial(process.env, getProjectPath({ cwd: process.cwd() }));
  if (denials) return { line: denials.line, chosen: denials.isInProject ? "last-in-project" : "last-of-all" };
  const { settings } = await readLogSettings(findLogSources());
  const command = getOwnCommand();
  const advice =
    settings.level === "off"
      ? `the decision log is off, so no denials are recorded; to list denied calls that can be allowed: ${command} allow list`
      : `the log has no denials yet; to check a command before running it: ${command} explain --command LINE`;
  throw new Error([advice, formatLosses(countLosses(process.env))].filter((text) => text !== undefined).join("; "));
}
