import { isDeepStrictEqual } from "node:util";
import type { ConfigEntry, ConfigFile, Setup } from "../../core/setup.ts";
import type { Desired } from "../wanted.ts";
import { at, type Editor, type Path } from "./editor.ts";
import { jsonEditor } from "./json.ts";
import { tomlEditor } from "./toml.ts";

/** A file's entries, and which of them are ours. */
export interface Subject {
  file: ConfigFile;
  setup: Setup;
  isOurs: (entry: ConfigEntry) => boolean;
}

export const editorOf = ({ syntax }: ConfigFile, text: string): Editor =>
  syntax === "toml" ? tomlEditor(text) : jsonEditor(text.trim() === "" ? `{}\n` : text);

/** Containers and settings that were made, so that they can go again; as JSON texts of their paths. */
export type Made = Set<string>;
const note = (made: Made, path: Path) => void made.add(JSON.stringify(path));

const oursOf = ({ file, setup, isOurs }: Subject, editor: Editor) => setup.entries(editor.text, file.path).filter(isOurs);

/** The object that has the matcher: the entry itself, or its group. */
const groupOf = ({ setup }: Subject, { path }: ConfigEntry): Path => (setup.layout === "groups" ? path.slice(0, -2) : path);

/** Whether the entry has its group for itself. */
const isAlone = (subject: Subject, editor: Editor, entry: ConfigEntry) =>
  subject.setup.layout === "list" || (at(editor.value(), entry.path.slice(0, -1)) as unknown[] | undefined)?.length === 1;

/** Writes the entries that are to be there. `drop`: those of ours that are for no wanted event go. */
export function putEntries(subject: Subject, editor: Editor, desired: readonly Desired[], options: { drop: boolean; made: Made }): void {
  for (const one of desired) {
    const [first, ...more] = oursOf(subject, editor).filter(({ native_event }) => native_event === one.native_event);
    for (const entry of more.toReversed()) removeEntry(subject, editor, entry, new Set());
    if (first) changeEntry(subject, editor, first, one, options.made);
    else addEntry(subject, editor, one, options.made);
  }
  if (!options.drop) return;
  const kept = desired.map(({ native_event }) => native_event);
  for (const entry of oursOf(subject, editor).toReversed()) {
    if (!kept.includes(entry.native_event)) removeEntry(subject, editor, entry, new Set());
  }
}

function addEntry({ setup }: Subject, editor: Editor, { native_event, matcher, handler }: Desired, made: Made): void {
  const matching = matcher === undefined ? {} : { matcher };
  const entry = setup.layout === "groups" ? { ...matching, hooks: [handler] } : { ...handler, ...matching };
  const list = ["hooks", native_event];
  const { hooks } = editor.value() as { hooks?: Record<string, unknown> };
  if (hooks === undefined) note(made, ["hooks"]);
  if (hooks?.[native_event] !== undefined) return editor.append(list, entry);
  note(made, list);
  editor.set(list, [entry]);
}

/** Properties that an entry has only under another policy, or on another platform. */
function optional({ setup }: Subject): string[] {
  const order = { native_event: "", program: "x", platform: process.platform } as const;
  const all = (["deny", "allow"] as const).flatMap((on_error) =>
    (["user", "managed"] as const).flatMap((scope) => Object.keys(setup.handler({ ...order, on_error, scope }))),
  );
  return [...new Set(all)];
}

function changeEntry(subject: Subject, editor: Editor, entry: ConfigEntry, desired: Desired, made: Made): void {
  if ((entry.matcher || undefined) !== desired.matcher) {
    if (!isAlone(subject, editor, entry)) {
      removeEntry(subject, editor, entry, new Set());
      return addEntry(subject, editor, desired, made);
    }
    const path = [...groupOf(subject, entry), "matcher"];
    if (desired.matcher === undefined) editor.remove(path);
    else editor.set(path, desired.matcher);
  }
  for (const [key, value] of Object.entries(desired.handler)) {
    if (!isDeepStrictEqual(entry.handler[key], value)) editor.set([...entry.path, key], value);
  }
  for (const key of optional(subject)) {
    if (key in entry.handler && !(key in desired.handler)) editor.remove([...entry.path, key]);
  }
}

/** Takes an entry away, with its group and lists where nothing else is in them; `keep`: containers that were there before. */
export function removeEntry(subject: Subject, editor: Editor, entry: ConfigEntry, keep: ReadonlySet<string>): void {
  editor.remove(isAlone(subject, editor, entry) ? groupOf(subject, entry) : entry.path);
  for (const path of [["hooks", entry.native_event], ["hooks"]]) {
    if (editor.isBare(path) && !keep.has(JSON.stringify(path))) editor.remove(path);
  }
}

/** Takes our entries away. */
export function removeEntries(
  subject: Subject,
  editor: Editor,
  events: readonly string[] | undefined,
  keep: ReadonlySet<string>,
): ConfigEntry[] {
  const gone = oursOf(subject, editor).filter(({ native_event }) => events?.includes(native_event) ?? true);
  for (const entry of gone.toReversed()) removeEntry(subject, editor, entry, keep);
  return gone;
}

/** Puts what a file has to say besides the entries. */
export function putSettings({ setup }: Subject, editor: Editor, order: Parameters<Setup["settings"]>[0], made: Made): void {
  for (const { path, value, any } of setup.settings(order)) {
    const found = at(editor.value(), path);
    if (found !== undefined && (any || isDeepStrictEqual(found, value))) continue;
    if (found === undefined) {
      if (path.length > 1 && at(editor.value(), path.slice(0, -1)) === undefined) note(made, path.slice(0, -1));
      note(made, path);
    }
    editor.set(path, value);
  }
}

/** Takes the settings away again that were made for our entries, the innermost first. */
export function removeSettings(
  { setup }: Subject,
  editor: Editor,
  order: Parameters<Setup["settings"]>[0],
  made: ReadonlySet<string>,
): void {
  for (const { path, value } of setup.settings(order)) {
    if (made.has(JSON.stringify(path)) && isDeepStrictEqual(at(editor.value(), path), value)) editor.remove(path);
    const parent = path.slice(0, -1);
    const left = parent.length > 0 ? at(editor.value(), parent) : undefined;
    if (left && Object.keys(left).length === 0 && made.has(JSON.stringify(parent))) editor.remove(parent);
  }
}
