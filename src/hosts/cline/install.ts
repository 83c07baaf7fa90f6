import { isObject, parseJsonObject } from "../../protocol/object.ts";
import type { ConfigFile, EntrySpec, MachineContext, OwnFormat, Setup } from "../../protocol/host/install.ts";
import type { TimeGrants } from "../../protocol/host/time-grants.ts";
import { type Dialect, quoteCommand } from "../../protocol/host/quote.ts";
import { cline } from "../entries.ts";
import { buildEntryLine, defineSetup, listConfigFolders, listToolNames } from "../setup/define-setup.ts";
import { collectEntries } from "../setup/entries.ts";
import { capabilities } from "./capabilities.ts";
import { listScriptFolders, listScripts } from "./scripts.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** The `editor` tool both creates and edits files. */
const listedTools = listToolNames(TOOLS, UNMAPPED_TOOLS, [".+__.+"]);
const tools = { ...listedTools, Write: [...(listedTools.Write ?? []), "editor"] };

/** If a script times out, Cline runs the call anyway, and a script can't change that [seen 3.0.65, 2026-11-29]. */
const timeGrants: TimeGrants = { default_s: 120, max_s: 120 };

const HEADER = [
  '# Written by "bridge-hooks install --host cline", which overwrites it: do not edit it.',
  '# "bridge-hooks uninstall --host cline" removes it.',
];

/** Matches the command in a script. `exec` lets the command read stdin, as does PowerShell's `$input` [unverified]. */
const COMMAND_LINE = /^(?:exec |\$input \| & )(.*--host[ =].*)$/;

const getDialect = (platform: NodeJS.Platform): Dialect => (platform === "win32" ? "powershell" : "sh");

/**
 * Defines the script format for an event. Our scripts only run the command; a script that does anything else isn't
 * ours.
 */
function createScriptFormat(event: string, platform: NodeJS.Platform): OwnFormat {
  const [start, commandPrefix, eol] = platform === "win32" ? ["", "$input | & ", "\r\n"] : ["#!/bin/sh", "exec ", "\n"];
  return {
    read(text) {
      const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
      const [, command] = (lines.length === 1 && COMMAND_LINE.exec(lines[0] as string)) || [];
      return command === undefined ? undefined : JSON.stringify({ hooks: { [event]: [{ command }] } });
    },
    write(json) {
      const [entry] = collectEntries(parseJsonObject(json), "list");
      return entry
        ? [start, ...HEADER, commandPrefix + entry.command, ""].filter((line, at) => at > 0 || line).join(eol)
        : "";
    },
  };
}

/** Lists all scripts for an event in a directory, including ours. Cline runs all of them. */
function listEventFiles(
  event: string,
  { scope, path: folder }: { scope: "user" | "project"; path: string },
  isOurs: boolean,
  platform: NodeJS.Platform,
): ConfigFile[] {
  const syntax = createScriptFormat(event, platform);
  const ownPath = `${folder}/${event}.${platform === "win32" ? "ps1" : "sh"}`;
  return [
    ...(isOurs ? [{ scope, path: ownPath, syntax, event, target: true as const }] : []),
    ...listScripts(folder, event)
      .filter((path) => !isOurs || path !== ownPath)
      .map((path) => ({ scope, path, syntax, event })),
  ];
}

function listConfigFiles(machine: MachineContext): ConfigFile[] {
  const folders = listScriptFolders({ ...machine, roots: listConfigFolders(cline, machine.roots) });
  return folders.flatMap((folder, at) =>
    Object.keys(capabilities).flatMap((event) =>
      // Our scripts go to the user's first script directory. In a project, they go to .clinerules, which takes
      // precedence over .cline.
      listEventFiles(event, folder, folder.scope === "user" ? at === 0 : at % 2 === 0, machine.platform),
    ),
  );
}

/** Parses a script. The file name determines the event. */
const readDocument = (text: string, file: string): unknown => {
  const event = Object.keys(capabilities).find((name) => new RegExp(`[\\\\/]${name}(\\.\\w+)?$`, "i").test(file));
  const json = event === undefined ? undefined : createScriptFormat(event, process.platform).read(text);
  const document = json === undefined ? {} : parseJsonObject(json);
  return isObject(document) ? document : {};
};

/**
 * Installs one script per event [seen 3.0.65, 2026-11-29]. Scripts have no matchers, so each one receives every call.
 */
export const setup: Setup = defineSetup({
  identity: cline,
  capabilities,
  tools,
  listConfigFiles,
  parseEntries: (text, file) => collectEntries(readDocument(text, file), "list"),
  listDialects: (platform) => [getDialect(platform)],
  layout: "list",
  timeGrants,
  explainLinkRefusal: (file) => `Cline does not run a script that is a symbolic link (${file.path})`,
  buildHandler: (spec: EntrySpec) => ({
    command: quoteCommand(buildEntryLine("cline", spec, timeGrants), getDialect(spec.platform)),
  }),
  listManualSteps: () =>
    process.platform === "win32"
      ? ["Cline starts the scripts with `powershell -File`, so the execution policy must allow them [unverified]"]
      : [],
});
