import type { Module } from "../../../protocol/host/install.ts";
import { moduleJson } from "../../../hosts/module.ts";
import type { Editor } from "./editor.ts";
import { jsonEditor } from "./json.ts";

/** The entries of a module; around them always stands what this version writes. */
export function moduleEditor({ before, after }: Module, text: string): Editor {
  const editor = jsonEditor(moduleJson(text) ?? "{}");
  return {
    ...editor,
    get text() {
      return before + editor.text + after;
    },
  };
}
