import type { OwnFormat } from "../../../protocol/host/install.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/** Edits the entries in a file of the host's own form; what is around them is always that of this version. */
export function createModuleEditor({ read, write }: OwnFormat, text: string): Editor {
  const editor = createJsonEditor(read(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return write(editor.text);
    },
  };
}
