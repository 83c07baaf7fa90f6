import type { OwnFormat } from "../../../protocol/host/install.ts";
import type { Editor } from "./editor.ts";
import { createJsonEditor } from "./json.ts";

/**
 * Edits entries inside a host-specific file format; the surrounding code is always rewritten to this version's form.
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
