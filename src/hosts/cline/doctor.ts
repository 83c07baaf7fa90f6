import type { ConfigProblem, DoctorContext, Finding, HostDoctor } from "../../protocol/host/install.ts";
import { defineDoctor } from "../setup/checks.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries } from "../setup/findings.ts";
import { buildPowerShellArgv, buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { lstatSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { setup } from "./install.ts";
import { judgeAnswer } from "./read-answers.ts";
import { listScriptFolders, listScripts } from "./scripts.ts";
import samples from "./samples.json" with { type: "json" };

/** Matches the names of scripts that `install` writes. Scripts with any other name might not be ours. */
const OWN_NAME = new RegExp(`[\\\\/](?:${Object.keys(capabilities).join("|")})\\.(?:sh|ps1)$`);

/** Finds reasons why Cline would not run our command from a script as written. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  const isOurs = setup.parseEntries(text.replace(/^\ufeff/, ""), file).length > 0;
  if (!isOurs && OWN_NAME.test(file)) {
    const message =
      "bridge-hooks did not write this script; rename the script to the event's name without an extension or with .bash, so Cline still runs it";
    return [{ offset: 0, message }];
  }
  return [];
}

/** Finds scripts that are symbolic links, because Cline doesn't run those [seen 3.0.65, 2026-11-29]. */
const findLinks = ({ files }: DoctorContext): Finding[] =>
  files
    .filter(({ path, ownEntries }) => ownEntries.length > 0 && orAbsent(() => lstatSync(path))?.isSymbolicLink())
    .map(({ path }) =>
      createRedFinding(
        "script-link",
        `${path} is a link`,
        "Cline doesn't run scripts that are links",
        "replace the link with the file itself",
      ),
    );

/**
 * Notes that there are other scripts for the same event. Another script could restore the denied input, so a denial
 * then ends the run.
 */
function noteOtherScripts({ machine, files }: DoctorContext): Finding[] {
  const installedEntries = listOurEntries(files).filter(({ entry }) => entry.native_event === "PreToolUse");
  const paths = new Set(installedEntries.map(({ file }) => file.path));
  const otherScripts = listScriptFolders(machine)
    .flatMap(({ path }) => listScripts(path, "PreToolUse"))
    .filter((path) => !paths.has(path));
  if (installedEntries.length === 0 || otherScripts.length === 0) return [];
  return [
    createNote(
      "other-scripts",
      `Cline also runs ${otherScripts.join(", ")}`,
      "denials end the run without giving the model a reason, because the other script could undo a milder denial; rewrites could also be undone",
      "none needed; without that script, the model reads the reason and continues",
    ),
  ];
}

/** Notes which entries have `--on-error deny`, since no Cline script can make a failure block the call. */
function noteOpenFailures({ files }: DoctorContext): Finding[] {
  const failClosedEntries = listOurEntries(files).filter(({ entry }) => entry.command.includes("--on-error deny"));
  if (failClosedEntries.length === 0) return [];
  return [
    createNote(
      "fails-open",
      `the scripts ${formatPaths(failClosedEntries.map(({ file }) => file))} have --on-error deny`,
      "if the executable is missing or times out, Cline runs the call despite this option",
      "none; no Cline script can change that",
    ),
  ];
}

/**
 * Launches a script with the shell named in its first line, as Cline does [seen 3.0.65, 2026-11-29; on Windows
 * unverified].
 */
const listLaunches: HostDoctor["listLaunches"] = (_entry, file, payload, machine) => [
  {
    argv: machine.platform === "win32" ? buildPowerShellArgv(`& '${file.path}'`) : ["sh", file.path],
    cwd: findCallRoot(file, machine),
    env: buildHostEnv(machine.env),
    stdin: payload,
  },
];

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [findLinks, noteOtherScripts, noteOpenFailures],
});
