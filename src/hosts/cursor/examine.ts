import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { ConfigEntry, Examination, Finding, FoundFile } from "../../core/setup.ts";
import { named, note, oldRows, oursIn, red } from "../check.ts";
import { importsOfOurs } from "../imports.ts";
import { capabilities } from "./capabilities.ts";
import { setup } from "./setup.ts";

/** A link on the way to the file, where that keeps Cursor from reading it. */
function linked(file: FoundFile): Finding[] {
  const { path, ours } = file;
  const link = [path, dirname(path)].find((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  const refusal = setup.refuses_links?.(file);
  if (!link || !refusal || ours.length === 0) return [];
  const mend = `put the file itself at ${path}, and no link`;
  return [red("linked-config", `${link} is a link`, `${refusal}: the entries in it don't run`, mend)];
}

/** Events that Cursor takes over [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const IMPORTED = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "SessionStart", "SessionEnd", "PreCompact"];

/** What Cursor takes over of such a file: nothing where no entry has a matcher [seen @cursor/sdk 1.0.32, 2026-11-21]. */
const taken = (entries: ConfigEntry[]) =>
  entries.some(({ matcher }) => matcher !== undefined) ? entries.filter(({ native_event }) => IMPORTED.includes(native_event)) : [];

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

/** What only Cursor needs to be asked. */
export async function examine(examination: Examination): Promise<Finding[]> {
  return [...examination.files.flatMap(linked), ...imports(examination), ...oldRows(capabilities, examination.version)];
}
