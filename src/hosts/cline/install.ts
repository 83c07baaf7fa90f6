import { isObject, parseJsonObject } from "../../protocol/object.ts";
import type {
  ConfigFile,
  EntrySpec,
  MachineContext,
  OwnFormat,
  Setup,
  TimeGrants,
} from "../../protocol/host/install.ts";
import { type Dialect, quoteCommand } from "../../protocol/host/quote.ts";
import { cline } from "../entries.ts";
import { buildEntryLine, defineSetup, listConfigFolders, listToolNames } from "../setup/define-setup.ts";
import { collectEntries } from "../setup/entries.ts";
import { capabilities } from "./capabilities.ts";
import { listScriptFolders, listScripts } from "./scripts.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** One tool writes whole files and edits them. */
const listedTools = listToolNames(TOOLS, UNMAPPED_TOOLS, [".+__.+"]);
const tools = { ...listedTools, Write: [...(listedTools.Write ?? []), "editor"] };

/** When the time is up, the call passes; no script can change it [seen 3.0.65, 2026-11-29]. */
const timeGrants: TimeGrants = { default_s: 120, max_s: 120 };

const HEADER = [
  '# Written by "bridge-hooks install --host cline", which overwrites it: do not edit it.',
  '# "bridge-hooks uninstall --host cline" removes it.',
];

/** The line that a script runs: `exec` hands it stdin, and PowerShell passes it on [unverified]. */
const COMMAND_LINE = /^(?:exec |\$input \| & )(.*--host[ =].*)$/;

const getDialect = (platform: NodeJS.Platform): Dialect => (platform === "win32" ? "powershell" : "sh");

/** A script of one event around the command; a script that does anything else is somebody else's. */
function createScriptFormat(event: string, platform: NodeJS.Platform): OwnFormat {
  const [start, first, eol] = platform === "win32" ? ["", "$input | & ", "\r\n"] : ["#!/bin/sh", "exec ", "\n"];
  return {
    read(text) {
      const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
      const [, command] = (lines.length === 1 && COMMAND_LINE.exec(lines[0] as string)) || [];
      return command === undefined ? undefined : JSON.stringify({ hooks: { [event]: [{ command }] } });
    },
    write(json) {
      const [entry] = collectEntries(parseJsonObject(json), "list");
      return entry ? [start, ...HEADER, first + entry.command, ""].filter((line, at) => at > 0 || line).join(eol) : "";
    },
  };
}

/** Our script of an event, and those of others in the same folder: Cline runs all of them. */
function listEventFiles(
  event: string,
  { scope, path: folder }: { scope: "user" | "project"; path: string },
  isOurs: boolean,
  platform: NodeJS.Platform,
): ConfigFile[] {
  const syntax = createScriptFormat(event, platform);
  const own = `${folder}/${event}.${platform === "win32" ? "ps1" : "sh"}`;
  return [
    ...(isOurs ? [{ scope, path: own, syntax, event, target: true as const }] : []),
    ...listScripts(folder, event)
      .filter((path) => !isOurs || path !== own)
      .map((path) => ({ scope, path, syntax, event })),
  ];
}

function listConfigFiles(place: MachineContext): ConfigFile[] {
  const folders = listScriptFolders({ ...place, roots: listConfigFolders(cline, place.roots) });
  return folders.flatMap((folder, at) =>
    Object.keys(capabilities).flatMap((event) =>
      // The user's folder comes first, and in a project each other one is .clinerules.
      listEventFiles(event, folder, folder.scope === "user" ? at === 0 : at % 2 === 0, place.platform),
    ),
  );
}

/** The event of a file that was read: its format is the file's own. */
const readDocument = (text: string, file: string): unknown => {
  const event = Object.keys(capabilities).find((name) => new RegExp(`[\\\\/]${name}(\\.\\w+)?$`, "i").test(file));
  const json = event === undefined ? undefined : createScriptFormat(event, process.platform).read(text);
  const document = json === undefined ? {} : parseJsonObject(json);
  return isObject(document) ? document : {};
};

/** Scripts, one per event [seen 3.0.65, 2026-11-29]. No matchers: a script gets all calls. */
export const setup: Setup = defineSetup({
  identity: cline,
  capabilities,
  tools,
  listConfigFiles,
  parseEntries: (text, file) => collectEntries(readDocument(text, file), "list"),
  listDialects: (platform) => [getDialect(platform)],
  layout: "list",
  timeGrants,
  explainLinkRefusal: (file) => `Cline runs no script that is a link (${file.path})`,
  buildHandler: (order: EntrySpec) => ({
    command: quoteCommand(buildEntryLine("cline", order, timeGrants), getDialect(order.platform)),
  }),
  listManualSteps: () =>
    process.platform === "win32"
      ? ["Cline starts the scripts with `powershell -File`: the execution policy has to allow them [unverified]"]
      : [],
});
