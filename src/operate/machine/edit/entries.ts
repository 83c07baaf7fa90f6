import { isDeepStrictEqual } from "node:util";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, ConfigSetting, Setup } from "../../../protocol/host/install.ts";
import { getFlag } from "../../../call/options.ts";
import { hasHooks } from "../../../hosts/setup/entries.ts";
import { getCallMs, readGrantedSeconds } from "../../../hosts/setup/entry-time.ts";
import type { EntryCommand } from "../entry-command.ts";
import type { DesiredEntry } from "../../../protocol/host/install.ts";
import { type Editor, type DocumentPath, nestInHooks } from "./editor.ts";
import { createJsonEditor } from "./json.ts";
import { createModuleEditor } from "./module.ts";
import { parseTomlDocument } from "../../../hosts/setup/toml.ts";
import { createTomlEditor } from "./toml.ts";
import { getValueAt, isObject } from "../../../protocol/object.ts";

/** A config file and the function that recognizes bridge-hooks entries in it. */
export interface EditTarget {
  file: ConfigFile;
  setup: Setup;
  /** Returns the command of a bridge-hooks entry, or undefined for other entries. */
  callOf: (entry: ConfigEntry) => EntryCommand | undefined;
}

export const createEditor = ({ syntax, bare }: Pick<ConfigFile, "syntax" | "bare">, text: string): Editor =>
  bare ? nestInHooks(createSyntaxEditor(syntax, text)) : createSyntaxEditor(syntax, text);

function createSyntaxEditor(syntax: ConfigFile["syntax"], text: string): Editor {
  const isEmpty = text.trim() === "";
  switch (syntax) {
    case "toml":
      return createTomlEditor(text);
    case "json":
      return createJsonEditor(isEmpty ? `{}\n` : text);
    default:
      return createModuleEditor(syntax, isEmpty ? "{}" : text);
  }
}

/** Changes to anything but entries, recorded so that they can be undone. Paths are serialized as JSON. */
export interface RecordedChanges {
  /** Containers and settings created by bridge-hooks. */
  made: Set<string>;
  /** Previous values of changed settings. */
  was: Map<string, unknown>;
  /** Whether the file contained no other hooks before. If so, hooks added later might rely on the settings. */
  alone: boolean;
}

export const createRecordedChanges = (): RecordedChanges => ({ made: new Set(), was: new Map(), alone: false });
const formatPathKey = (path: DocumentPath) => JSON.stringify(path);

/** Reads all hook entries in a config. Parses TOML the way the host does. */
export const readEntries = (setup: Setup, text: string, file: string): ConfigEntry[] =>
  setup.parseEntries(text, file, parseTomlDocument);

export const findInstalledEntries = ({ file, setup, callOf }: EditTarget, { text }: Editor) =>
  readEntries(setup, text, file.path).filter((entry) => callOf(entry) !== undefined);

/** Returns the path of the list with an event's entries. */
const locateList = ({ layout }: Setup, native_event: string): DocumentPath =>
  layout === "flat" ? ["hooks"] : ["hooks", native_event];

/** Returns the path of the object that contains the matcher: the entry itself, or its group. */
const locateGroup = ({ setup }: EditTarget, { path }: ConfigEntry): DocumentPath =>
  setup.layout === "groups" ? path.slice(0, -2) : path;

/** Returns whether the entry is the only one in its group. */
const isOnlyEntry = (subject: EditTarget, editor: Editor, entry: ConfigEntry) =>
  subject.setup.layout !== "groups" ||
  (getValueAt(editor.value(), entry.path.slice(0, -1)) as unknown[] | undefined)?.length === 1;

/** Writes the desired entries. `drop` also removes bridge-hooks entries for other events. */
export function writeEntries(
  subject: EditTarget,
  editor: Editor,
  desired: readonly DesiredEntry[],
  options: { drop: boolean; traces: RecordedChanges },
): void {
  const edit = { subject, editor, traces: options.traces };
  for (const one of desired) {
    const [first, ...duplicates] = findInstalledEntries(subject, editor).filter(
      ({ native_event }) => native_event === one.native_event,
    );
    for (const entry of duplicates.toReversed()) removeEntry(subject, editor, entry, new Set());
    if (first) changeEntry(edit, first, one);
    else addEntry(edit, one, one.handler());
  }
  if (!options.drop) return;
  const keptEvents = desired.map(({ native_event }) => native_event);
  for (const entry of findInstalledEntries(subject, editor).toReversed()) {
    if (!keptEvents.includes(entry.native_event)) removeEntry(subject, editor, entry, new Set());
  }
}

/** A change to the entries in one document. */
interface EntriesEdit {
  subject: EditTarget;
  editor: Editor;
  traces: RecordedChanges;
}

function addEntry(
  { subject: { setup }, editor, traces: { made } }: EntriesEdit,
  { native_event, matcher }: DesiredEntry,
  handler: Payload,
): void {
  const matching = matcher === undefined ? {} : { matcher };
  const entry =
    setup.layout === "groups"
      ? { ...matching, ...setup.groupProperties, hooks: [handler] }
      : { ...handler, ...matching };
  const list = locateList(setup, native_event);
  const document = editor.value();
  if (getValueAt(document, ["hooks"]) === undefined) made.add(formatPathKey(["hooks"]));
  const existing = getValueAt(document, list);
  if (existing !== undefined) {
    if (!Array.isArray(existing)) throw new Error(`"${list.join(".")}" is not a list; change or remove it`);
    return editor.append(list, entry);
  }
  made.add(formatPathKey(list));
  editor.set(list, [entry]);
}

/**
 * Returns whether an installation wrote an entry's time limits: the call's limit is then the one derived from the
 * entry's timeout.
 */
function hasInstalledTime({ setup: { timeGrants }, callOf }: EditTarget, entry: ConfigEntry): boolean {
  const grantedSeconds = readGrantedSeconds(timeGrants, entry);
  return grantedSeconds !== undefined && callOf(entry)?.options.timeoutMs === getCallMs(grantedSeconds);
}

/** Lists the flags that a user added to an entry's command. */
function listManualFlags(subject: EditTarget, entry: ConfigEntry, handler: Payload): string[] {
  const { command, args } = handler as { command: string; args?: string[] };
  const plannedOptions = subject.callOf({ ...entry, command, args })?.options ?? {};
  const isOwn = (option: string) =>
    option === "timeoutMs"
      ? hasInstalledTime(subject, entry)
      : option in plannedOptions || /^(?:onError|after|from)$/.test(option);
  return Object.entries(subject.callOf(entry)?.options ?? {}).flatMap(([option, value]) =>
    isOwn(option) ? [] : [getFlag(option), String(value)],
  );
}

/**
 * Returns whether two commands are equivalent. They may differ in the order of flags and in a launcher such as `env`.
 */
function hasSameWords({ callOf }: EditTarget, entry: ConfigEntry, { command }: Payload): boolean {
  if (typeof command !== "string") return false;
  const sortWords = (line: unknown) => String(line).split(" ").sort();
  const { wrapped, ...call } = callOf(entry) ?? {};
  if (!wrapped && !isDeepStrictEqual(sortWords(entry.handler.command), sortWords(command))) return false;
  return isDeepStrictEqual(call, callOf({ ...entry, command }));
}

/**
 * Returns the replacement for an entry. It includes a user's additions, except those that might keep the host from
 * calling the entry.
 */
export function mergeHandler(subject: EditTarget, entry: ConfigEntry, desired: DesiredEntry): Payload {
  const plain = desired.handler();
  const manualFlags = listManualFlags(subject, entry, plain);
  const desiredHandler = manualFlags.length > 0 ? desired.handler(manualFlags) : plain;
  const handler = hasSameWords(subject, entry, desiredHandler)
    ? { ...desiredHandler, command: entry.handler.command }
    : desiredHandler;
  const { timeout } = entry.handler;
  const isLonger = typeof timeout === "number" && timeout > Number(handler.timeout);
  return isLonger && !hasInstalledTime(subject, entry) ? { ...handler, timeout } : handler;
}

/** Lists properties that might keep the host from calling an entry or from applying its answer. */
export const findUnexpectedKeys = ({ setup }: EditTarget, entry: ConfigEntry, handler: Payload): string[] =>
  Object.keys(entry.handler).filter(
    (key) =>
      !(key in handler) && !setup.harmlessProperties.includes(key) && !(setup.layout !== "groups" && key === "matcher"),
  );

function changeEntry(edit: EntriesEdit, entry: ConfigEntry, desired: DesiredEntry): void {
  const { subject, editor } = edit;
  const handler = mergeHandler(subject, entry, desired);
  if ((entry.matcher || undefined) !== desired.matcher) {
    if (!isOnlyEntry(subject, editor, entry)) {
      const keptProperties = Object.entries(entry.handler).filter(([key]) =>
        subject.setup.harmlessProperties.includes(key),
      );
      removeEntry(subject, editor, entry, new Set());
      return addEntry(edit, desired, { ...handler, ...Object.fromEntries(keptProperties) });
    }
    const path = [...locateGroup(subject, entry), "matcher"];
    if (desired.matcher === undefined) editor.remove(path);
    else editor.set(path, desired.matcher);
  }
  for (const [key, value] of Object.entries(handler)) {
    if (!isDeepStrictEqual(entry.handler[key], value)) editor.set([...entry.path, key], value);
  }
  for (const key of findUnexpectedKeys(subject, entry, handler)) editor.remove([...entry.path, key]);
}

/**
 * Removes an entry, and the group and lists around it if they become empty. `protectedPaths` lists containers that must
 * stay because they existed before.
 */
function removeEntry(
  subject: EditTarget,
  editor: Editor,
  entry: ConfigEntry,
  protectedPaths: ReadonlySet<string>,
): void {
  editor.remove(isOnlyEntry(subject, editor, entry) ? locateGroup(subject, entry) : entry.path);
  for (const path of [locateList(subject.setup, entry.native_event), ["hooks"]]) {
    if (editor.isBare(path) && !protectedPaths.has(formatPathKey(path))) editor.remove(path);
  }
}

/** Removes bridge-hooks entries. If `events` is given, removes only the entries for these events. */
export function removeEntries(
  subject: EditTarget,
  editor: Editor,
  events: readonly string[] | undefined,
  protectedPaths: ReadonlySet<string>,
): void {
  const obsoleteEntries = findInstalledEntries(subject, editor).filter(
    ({ native_event }) => events?.includes(native_event) ?? true,
  );
  for (const entry of obsoleteEntries.toReversed()) removeEntry(subject, editor, entry, protectedPaths);
}

/** Writes the settings that bridge-hooks entries need into a file. */
export function writeSettings(editor: Editor, settings: readonly ConfigSetting[], traces: RecordedChanges): void {
  const { made, was } = traces;
  traces.alone = !hasHooks(editor.value());
  for (const { path, value, any, listed } of settings) {
    const current = getValueAt(editor.value(), path);
    if (listed && (current !== undefined || listed !== "always")) {
      if (current !== undefined && !Array.isArray(current))
        throw new Error(`"${path.join(".")}" is not a list; change or remove it`);
      if (!Array.isArray(current) || current.includes(value)) continue;
      made.add(formatPathKey([...path, String(value)]));
      editor.append(path, value);
      continue;
    }
    if (current !== undefined && (any || isDeepStrictEqual(current, value))) continue;
    if (current !== undefined) was.set(formatPathKey(path), current);
    else for (const one of listMissingPaths(editor.value(), path)) made.add(formatPathKey(one));
    if (listed) made.add(formatPathKey([...path, String(value)]));
    editor.set(path, listed ? [value] : value);
  }
}

/** Lists the missing containers on a path, and the path itself if it is missing. */
const listMissingPaths = (value: unknown, path: DocumentPath): DocumentPath[] =>
  path.map((_, index) => path.slice(0, index + 1)).filter((one) => getValueAt(value, one) === undefined);

/** Reverts the settings written for bridge-hooks entries. */
export function removeSettings(
  editor: Editor,
  settings: readonly ConfigSetting[],
  { made, was }: RecordedChanges,
): void {
  for (const { path, value, listed } of settings) {
    const current = getValueAt(editor.value(), path);
    if (listed) {
      const index = Array.isArray(current) ? current.indexOf(value) : -1;
      if (index >= 0 && made.has(formatPathKey([...path, String(value)]))) editor.remove([...path, index]);
    }
    const isOurs = isDeepStrictEqual(current, value);
    if (isOurs && was.has(formatPathKey(path))) editor.set(path, was.get(formatPathKey(path)));
    else if (isOurs && made.has(formatPathKey(path))) editor.remove(path);
    for (let parent = listed ? path : path.slice(0, -1); parent.length > 0; parent = parent.slice(0, -1)) {
      const container = getValueAt(editor.value(), parent);
      if (container && Object.keys(container).length === 0 && made.has(formatPathKey(parent))) editor.remove(parent);
    }
  }
}

/** Returns whether the settings are still needed, either by bridge-hooks entries or by hooks that were added later. */
export const needsSettings = (subject: EditTarget, editor: Editor, { alone: wasAlone }: RecordedChanges): boolean =>
  findInstalledEntries(subject, editor).length > 0 || (wasAlone && hasHooks(editor.value()));

/** Returns a document's value without the given settings. */
export function omitSettings(value: unknown, settings: readonly ConfigSetting[]): unknown {
  const result = structuredClone(value);
  for (const { path, value: settingValue, listed } of settings) {
    const parent = getValueAt(result, path.slice(0, -1));
    const key = path.at(-1) as string;
    if (!isObject(parent)) continue;
    if (!listed) delete parent[key];
    else if (Array.isArray(parent[key])) parent[key] = parent[key].filter((one) => one !== settingValue);
    if (Array.isArray(parent[key]) && parent[key].length === 0) delete parent[key];
    for (let length = path.length - 1; length > 0; length--) {
      const holder = getValueAt(result, path.slice(0, length - 1)) as Record<string, unknown>;
      const container = holder[path[length - 1] as string];
      if (isObject(container) && Object.keys(container).length === 0) delete holder[path[length - 1] as string];
    }
  }
  return result;
}
