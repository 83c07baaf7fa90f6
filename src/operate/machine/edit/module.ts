import type { OwnFormat } from "../../../protocol/host/install.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/** Edits entries inside a host-specific file format. The code around the entries is always rewritten for this version. */
export function createModuleEditor({ read, write }: OwnFormat, text: string): Editor {
  const editor = createJsonEditor(read(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return write(editor.text);
    },
  };
}
