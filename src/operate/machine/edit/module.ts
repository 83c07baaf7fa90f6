import type { PluginModule } from "../../../protocol/host/install.ts";
import { extractEntriesJson } from "../../../hosts/setup/plugin-module.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/** Edits the entries in a module; the code around them is always that of this version. */
export function createModuleEditor({ before, after }: PluginModule, text: string): Editor {
  const editor = createJsonEditor(extractEntriesJson(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return before + editor.text + after;
    },
  };
}
