import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { ConfigEntry, Examination, Finding, FoundFile } from "../../../protocol/host/install.ts";
import { named, note, oldRows, oursIn, red } from "../../check.ts";
import { importsOfOurs } from "../../imports.ts";
import { capabilities } from "../capabilities.ts";
import { setup } from "../install/setup.ts";

/** A link on the way to the file, where that keeps Cursor from reading it. */
function linked(file: FoundFile): Finding[] {
  const { path, ours } = file;
  const link = [path, dirname(path)].find((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  const refusal = setup.refuses_links?.(file);
  if (!link || !refusal || ours.length === 0) return [];
  const fix = `put the file itself at ${path}, and no link`;
  return [red("linked-config", `${link} is a link`, `${refusal}: the entries in it don't run`, fix)];
}

/** Events that Cursor takes over [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const IMPORTED = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
];

/** What Cursor takes over of such a file: nothing where no entry has a matcher [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const taken = (entries: ConfigEntry[]) =>
  entries.some(({ matcher }) => matcher !== undefined)
    ? entries.filter(({ native_event }) => IMPORTED.includes(native_event))
    : [];

/** Another host's settings with entries for our program that Cursor runs as well. */
function imports(examination: Examination): Finding[] {
  const own = oursIn(examination.files);
  return importsOfOurs(setup, examination, taken).map((path) =>
    own.length > 0
      ? note(
          "imported-entries",
          `Cursor may run the entries in ${path} as well`,
          `those in ${named(own.map(({ file }) => file))} answer; the imported ones stand down, unless they deny, ask or rewrite`,
          "nothing; to run them once, turn off third-party configs in Cursor's settings",
        )
      : note(
          "imported-entries",
          `Cursor has no entry of its own for bridge-hooks, but may run those in ${path}`,
          "they answer in Cursor's format; a crash lets the call pass, because Cursor drops their onFailure",
          "bridge-hooks install --host cursor",
        ),
  );
}

/** Events that came with 2.4.0, and with the command line of that day or later [docs https://cursor.com/changelog/2-4; the last six unverified]. */
const SINCE_2_4 = [
  ...["preToolUse", "postToolUse"],
  ...["postToolUseFailure", "sessionStart", "sessionEnd", "subagentStart", "subagentStop", "workspaceOpen"],
];

/** Releases that would drop the whole file for an event that they don't know [seen with another name @cursor/sdk 1.0.22 and 1.0.32, 2026-11-22]. */
function tooOld({ files, releases = [] }: Examination): Finding[] {
  const events = [...new Set(oursIn(files).map(({ entry }) => entry.native_event))].filter((event) =>
    SINCE_2_4.includes(event),
  );
  if (events.length === 0) return [];
  return releases.flatMap((release) => {
    const [major = 0, minor = 0, patch = 0] = release.split(/[.-]/).map(Number);
    // The command line is numbered by its day.
    const first = major > 2000 ? "2026.1.22" : "2.4.0";
    if (Bun.semver.order(`${major}.${minor}.${patch}`, first) >= 0) return [];
    return red(
      "old-release",
      `Cursor ${release} does not know ${events.join(", ")}, which came with ${first}`,
      "it drops a whole hooks.json that has an event it does not know: no call is guarded there",
      "update Cursor; else bridge-hooks uninstall --host cursor, and install it with --event beforeShellExecution --event beforeMCPExecution --event beforeReadFile",
    );
  });
}

/** What only Cursor needs to be asked. */
export async function examine(examination: Examination): Promise<Finding[]> {
  return [
    ...examination.files.flatMap(linked),
    ...tooOld(examination),
    ...imports(examination),
    ...oldRows(capabilities, examination.version),
  ];
}
