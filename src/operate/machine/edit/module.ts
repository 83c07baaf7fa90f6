import type { OwnFormat } from "../../../protocol/host/install.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/**
 * Edits the entries in a generated module. This version's code around the entries always replaces the existing code.
 */
export function createModuleEditor({ read, write }: OwnFormat, text: string): Editor {
  const editor = createJsonEditor(read(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return write(editor.text);
    },
  };
}
