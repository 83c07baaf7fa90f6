import { isDeepStrictEqual } from "node:util";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, Setting, Setup } from "../../../protocol/host/install.ts";
import { flagOf } from "../../../run/options.ts";
import type { Call } from "../ours.ts";
import type { Desired } from "../wanted.ts";
import { at, type Editor, type Path } from "./editor.ts";
import { jsonEditor } from "./json.ts";
import { moduleEditor } from "./module.ts";
import { tomlEditor } from "./toml.ts";
import { isObject } from "../../../protocol/object.ts";

/** A config file, and which of its entries are ours. */
export interface Subject {
  file: ConfigFile;
  setup: Setup;
  /** What an entry of ours calls; nothing for somebody else's. */
  callOf: (entry: ConfigEntry) => Call | undefined;
}

export function editorOf({ syntax }: Pick<ConfigFile, "syntax">, text: string): Editor {
  const empty = text.trim() === "";
  switch (syntax) {
    case "toml":
      return tomlEditor(text);
    case "json":
      return jsonEditor(empty ? `{}\n` : text);
    default:
      return moduleEditor(syntax, empty ? "{}" : text);
  }
}

/** What was changed besides entries, so that it can be taken back. Paths are JSON texts. */
export interface Traces {
  /** Containers and settings that were made. */
  made: Set<string>;
  /** Settings that had another value. */
  was: Map<string, unknown>;
  /** Nobody else had hooks there: those that are there later may need the settings. */
  alone: boolean;
}

export const noTraces = (): Traces => ({ made: new Set(), was: new Map(), alone: false });
const keyOf = (path: Path) => JSON.stringify(path);

/** The entries of ours in a document. */
export const oursIn = ({ file, setup, callOf }: Subject, { text }: Editor) =>
  setup.entries(text, file.path).filter((entry) => callOf(entry) !== undefined);

/** The object that has the matcher: the entry itself, or its group. */
const groupOf = ({ setup }: Subject, { path }: ConfigEntry): Path =>
  setup.layout === "groups" ? path.slice(0, -2) : path;

/** Whether the entry has its group for itself. */
const isAlone = (subject: Subject, editor: Editor, entry: ConfigEntry) =>
  subject.setup.layout === "list" ||
  (at(editor.value(), entry.path.slice(0, -1)) as unknown[] | undefined)?.length === 1;

/** Writes the entries that are to be there. `drop`: those of ours that are for no wanted event go. */
export function putEntries(
  subject: Subject,
  editor: Editor,
  desired: readonly Desired[],
  options: { drop: boolean; traces: Traces },
): void {
  for (const one of desired) {
    const [first, ...more] = oursIn(subject, editor).filter(({ native_event }) => native_event === one.native_event);
    for (const entry of more.toReversed()) removeEntry(subject, editor, entry, new Set());
    if (first) changeEntry(subject, editor, first, one, options.traces);
    else addEntry(subject, editor, one, one.handler(), options.traces);
  }
  if (!options.drop) return;
  const kept = desired.map(({ native_event }) => native_event);
  for (const entry of oursIn(subject, editor).toReversed()) {
    if (!kept.includes(entry.native_event)) removeEntry(subject, editor, entry, new Set());
  }
}

function addEntry(
  { setup }: Subject,
  editor: Editor,
  { native_event, matcher }: Desired,
  handler: Payload,
  { made }: Traces,
): void {
  const matching = matcher === undefined ? {} : { matcher };
  const entry = setup.layout === "groups" ? { ...matching, hooks: [handler] } : { ...handler, ...matching };
  const list = ["hooks", native_event];
  const { hooks } = editor.value() as { hooks?: Record<string, unknown> };
  if (hooks === undefined) made.add(keyOf(["hooks"]));
  if (hooks?.[native_event] !== undefined) return editor.append(list, entry);
  made.add(keyOf(list));
  editor.set(list, [entry]);
}

/** The flags that somebody gave an entry by hand, and that an installation has no word for. */
function further({ callOf }: Subject, entry: ConfigEntry, handler: Payload): string[] {
  const { command, args } = handler as { command: string; args?: string[] };
  const own = callOf({ ...entry, command, args })?.options ?? {};
  return Object.entries(callOf(entry)?.options ?? {}).flatMap(([option, value]) =>
    option in own || option === "onError" || option === "after" ? [] : [flagOf(option), String(value)],
  );
}

/** Whether the command means the same, and has the same words, in whatever order: flags may stand anywhere. */
function hasSameWords({ callOf }: Subject, entry: ConfigEntry, { command }: Payload): boolean {
  const sorted = (line: unknown) => String(line).split(" ").sort();
  if (typeof command !== "string" || !isDeepStrictEqual(sorted(entry.handler.command), sorted(command))) return false;
  return isDeepStrictEqual(callOf(entry), callOf({ ...entry, command }));
}

/** What an entry of ours is to say: what people added to it by hand stays, as long as it is still called. */
export function handlerFor(subject: Subject, entry: ConfigEntry, desired: Desired): Payload {
  const plain = desired.handler();
  const more = further(subject, entry, plain);
  const wanted = more.length > 0 ? desired.handler(more) : plain;
  const handler = hasSameWords(subject, entry, wanted) ? { ...wanted, command: entry.handler.command } : wanted;
  const { timeout } = entry.handler;
  return typeof timeout === "number" && timeout > Number(handler.timeout) ? { ...handler, timeout } : handler;
}

/** Properties that may keep an entry of ours from being called, or from being heard. */
export const strangeKeys = ({ setup }: Subject, entry: ConfigEntry, handler: Payload): string[] =>
  Object.keys(entry.handler).filter(
    (key) => !(key in handler) && !setup.harmless.includes(key) && !(setup.layout === "list" && key === "matcher"),
  );

function changeEntry(subject: Subject, editor: Editor, entry: ConfigEntry, desired: Desired, traces: Traces): void {
  const handler = handlerFor(subject, entry, desired);
  if ((entry.matcher || undefined) !== desired.matcher) {
    if (!isAlone(subject, editor, entry)) {
      const kept = Object.entries(entry.handler).filter(([key]) => subject.setup.harmless.includes(key));
      removeEntry(subject, editor, entry, new Set());
      return addEntry(subject, editor, desired, { ...handler, ...Object.fromEntries(kept) }, traces);
    }
    const path = [...groupOf(subject, entry), "matcher"];
    if (desired.matcher === undefined) editor.remove(path);
    else editor.set(path, desired.matcher);
  }
  for (const [key, value] of Object.entries(handler)) {
    if (!isDeepStrictEqual(entry.handler[key], value)) editor.set([...entry.path, key], value);
  }
  for (const key of strangeKeys(subject, entry, handler)) editor.remove([...entry.path, key]);
}

/** Takes an entry away, with its group and lists where nothing else is in them; `keep`: containers that were there before. */
function removeEntry(subject: Subject, editor: Editor, entry: ConfigEntry, keep: ReadonlySet<string>): void {
  editor.remove(isAlone(subject, editor, entry) ? groupOf(subject, entry) : entry.path);
  for (const path of [["hooks", entry.native_event], ["hooks"]]) {
    if (editor.isBare(path) && !keep.has(keyOf(path))) editor.remove(path);
  }
}

/** Takes our entries away. */
export function removeEntries(
  subject: Subject,
  editor: Editor,
  events: readonly string[] | undefined,
  keep: ReadonlySet<string>,
): void {
  const gone = oursIn(subject, editor).filter(({ native_event }) => events?.includes(native_event) ?? true);
  for (const entry of gone.toReversed()) removeEntry(subject, editor, entry, keep);
}

/** Whether any event has hooks, of whatever kind. */
const hasHooks = (editor: Editor): boolean =>
  Object.values((editor.value() as { hooks?: object }).hooks ?? {}).some(
    (list) => Array.isArray(list) && list.length > 0,
  );

/** Puts what a file has to say besides the entries. */
export function putSettings(editor: Editor, settings: readonly Setting[], traces: Traces): void {
  const { made, was } = traces;
  traces.alone = !hasHooks(editor);
  for (const { path, value, any, listed } of settings) {
    const found = at(editor.value(), path);
    if (listed && (found !== undefined || listed !== "always")) {
      if (found !== undefined && !Array.isArray(found))
        throw new Error(`"${path.join(".")}" is no list; make it one, or take it out`);
      if (!Array.isArray(found) || found.includes(value)) continue;
      made.add(keyOf([...path, String(value)]));
      editor.append(path, value);
      continue;
    }
    if (found !== undefined && (any || isDeepStrictEqual(found, value))) continue;
    if (found !== undefined) was.set(keyOf(path), found);
    else for (const one of missing(editor.value(), path)) made.add(keyOf(one));
    if (listed) made.add(keyOf([...path, String(value)]));
    editor.set(path, listed ? [value] : value);
  }
}

/** What of a path is not there yet, itself included. */
const missing = (value: unknown, path: Path): Path[] =>
  path.map((_, index) => path.slice(0, index + 1)).filter((one) => at(value, one) === undefined);

/** Takes the settings back that were put for our entries. */
export function removeSettings(editor: Editor, settings: readonly Setting[], { made, was }: Traces): void {
  for (const { path, value, listed } of settings) {
    const found = at(editor.value(), path);
    if (listed) {
      const index = Array.isArray(found) ? found.indexOf(value) : -1;
      if (index >= 0 && made.has(keyOf([...path, String(value)]))) editor.remove([...path, index]);
    }
    const isOurs = isDeepStrictEqual(found, value);
    if (isOurs && was.has(keyOf(path))) editor.set(path, was.get(keyOf(path)));
    else if (isOurs && made.has(keyOf(path))) editor.remove(path);
    for (let parent = listed ? path : path.slice(0, -1); parent.length > 0; parent = parent.slice(0, -1)) {
      const left = at(editor.value(), parent);
      if (left && Object.keys(left).length === 0 && made.has(keyOf(parent))) editor.remove(parent);
    }
  }
}

/** Whether settings are still needed: by entries of ours, or by those of others that came later. */
export const needsSettings = (subject: Subject, editor: Editor, { alone }: Traces): boolean =>
  oursIn(subject, editor).length > 0 || (alone && hasHooks(editor));

/** What a document says without these settings. */
export function withoutSettings(value: unknown, settings: readonly Setting[]): unknown {
  const rest = structuredClone(value);
  for (const { path, value: own, listed } of settings) {
    const parent = at(rest, path.slice(0, -1));
    const key = path.at(-1) as string;
    if (!isObject(parent)) continue;
    if (!listed) delete parent[key];
    else if (Array.isArray(parent[key])) parent[key] = parent[key].filter((one) => one !== own);
    if (Array.isArray(parent[key]) && parent[key].length === 0) delete parent[key];
    for (let length = path.length - 1; length > 0; length--) {
      const holder = at(rest, path.slice(0, length - 1)) as Record<string, unknown>;
      const left = holder[path[length - 1] as string];
      if (isObject(left) && Object.keys(left).length === 0) delete holder[path[length - 1] as string];
    }
  }
  return rest;
}
