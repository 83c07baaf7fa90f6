import type { PluginModule } from "../../../protocol/host/install.ts";
import { extractEntriesJson } from "../../../hosts/plugin-module.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/** The entries of a module; around them always stands what this version writes. */
export function createModuleEditor({ before, after }: PluginModule, text: string): Editor {
  const editor = createJsonEditor(extractEntriesJson(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return before + editor.text + after;
    },
  };
}
