import type { OwnFormat } from "../../../protocol/host/install.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/** Edits the entries in a generated module. The code around the entries is always replaced with this version's code. */
export function createModuleEditor({ read, write }: OwnFormat, text: string): Editor {
  const editor = createJsonEditor(read(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return write(editor.text);
    },
  };
}
