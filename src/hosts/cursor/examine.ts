import { lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { words } from "../../core/command.ts";
import type { ConfigEntry, Examination, Finding, FoundFile, Place } from "../../core/setup.ts";
import { named, note, oldRows, oursIn, red } from "../check.ts";
import { commandsOf, readConfig } from "../setup.ts";
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

function programOf({ command, args }: ConfigEntry, { platform, env }: Place): string | undefined {
  const program = args ? command : words(command, setup.dialects(platform)[0], env)?.[0];
  try {
    return program && realpathSync(program);
  } catch {
    return program;
  }
}

/** Whether Cursor would run an entry of this file that starts one of the programs. */
function importsOurs(path: string, programs: ReadonlySet<string>, place: Place): boolean {
  try {
    const entries = commandsOf(Bun.JSONC.parse(readConfig(path)), "groups");
    // Without a matcher anywhere in it Cursor does not take the file for one of hooks [seen @cursor/sdk 1.0.32, 2026-11-21].
    if (entries.every(({ matcher }) => matcher === undefined)) return false;
    return entries.some((entry) => IMPORTED.includes(entry.native_event) && programs.has(programOf(entry, place) ?? ""));
  } catch {
    return false;
  }
}

/** Another host's settings with entries for our program that Cursor runs as well. */
function imports({ place, files }: Examination): Finding[] {
  const own = oursIn(files);
  const programs = new Set([realpathSync(process.execPath), ...own.flatMap(({ entry }) => programOf(entry, place) ?? [])]);
  const found = (setup.imports?.(place) ?? []).filter((path) => importsOurs(path, programs, place));
  return found.map((path) =>
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
