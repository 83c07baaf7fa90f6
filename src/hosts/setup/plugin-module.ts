import type { ConfigProblem, OwnFormat } from "../../protocol/host/install.ts";
import guard from "./guard.js" with { type: "text" };

const ENTRIES_START = "// The entries, as JSON.\nconst config = ";
const ENTRIES_END = ";\n// The end of the entries.\n";

/**
 * Builds a host's plugin file. The file contains the entries, the code that calls the executable, and the plugin's own
 * code.
 */
export function createPluginModule(host: string, plugin: string): OwnFormat {
  const prefix = `// Written by "bridge-hooks install --host ${host}", which overwrites it: do not edit it.\n// "bridge-hooks uninstall --host ${host}" removes it.\n${ENTRIES_START}`;
  const suffix = `${ENTRIES_END}\n${guard}\n${plugin}`;
  return { read: extractEntriesJson, write: (json) => prefix + json + suffix };
}

/** Extracts the JSON of the entries from a plugin file; returns undefined if the file isn't ours. */
export function extractEntriesJson(text: string): string | undefined {
  const start = text.indexOf(ENTRIES_START);
  const end = text.lastIndexOf(ENTRIES_END);
  return start < 0 || end < start ? undefined : text.slice(start + ENTRIES_START.length, end);
}

/** Returns the reasons why a file is not a valid plugin written by bridge-hooks. */
export function findModuleProblems(text: string): ConfigProblem[] {
  const json = extractEntriesJson(text);
  const foreignFileMessage = "bridge-hooks did not write this file; move it elsewhere";
  if (json === undefined) return [{ offset: 0, message: foreignFileMessage }];
  try {
    JSON.parse(json);
    return [];
  } catch {
    return [
      {
        offset: text.indexOf(json),
        message: "the entries are no longer valid JSON; remove the file and install again",
      },
    ];
  }
}
