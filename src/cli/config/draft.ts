import { isDeepStrictEqual } from "node:util";
import { getValueAt, isObject } from "../../protocol/object.ts";
import { parseConfigText } from "../../policy/read.ts";
import type { ConfigScope, ConfigSource } from "../../policy/sources.ts";
import type { DocumentPath, Editor } from "../../operate/machine/edit/editor.ts";
import { createEditor } from "../../operate/machine/edit/entries.ts";
import { formatOwnCommand, getOwnCommand, quoteTypedJson } from "../../system/own-command.ts";
import { formatPath } from "../terminal/layout.ts";
import { getLongValue, toLongForm } from "./short-forms.ts";

/** A config document's text and parsed value. */
export interface ConfigDraft {
  text: string;
  document: Readonly<Record<string, unknown>>;
}

/** Explains why a document is rejected: it contains new errors, or values that have no effect. */
export type DraftJudge = (draft: ConfigDraft, current: ConfigDraft, path: DocumentPath) => Promise<string | undefined>;

export const describeFile = ({ path, scope }: ConfigSource) => `${formatPath(path)} (${scope})`;

/** A change to one value in a document. */
export interface ValueEdit {
  source: ConfigSource;
  current: ConfigDraft;
  path: DocumentPath;
  judge: DraftJudge;
}

export async function draftValue(edit: ValueEdit, text: string): Promise<ConfigDraft> {
  const { source, current, path, judge } = edit;
  const problems: string[] = [];
  for (const value of listPossibleValues(text)) {
    const replacement = replaceScalar(edit, value);
    if (replacement) {
      problems.push(`${replacement.problem}${await suggestReplacement(edit, replacement)}`);
      continue;
    }
    for (const numbers of ["items", "names"] as const) {
      const draft = await editDocument(edit, value, (editor) => setValue(editor, path, { value, numbers }));
      const problem = await judge(draft, current, path);
      if (problem === undefined) return draft;
      problems.push(problem);
    }
  }
  // Prefer a problem that suggests an alternative.
  const bestProblem = problems.find((candidate) => candidate.includes(REPLACEMENT_PREFIX)) ?? problems[0];
  throw new Error(`${describeFile(source)} was not changed: ${bestProblem}`);
}

/** The path of a value that prevents setting anything below it, its suggested replacement, and the problem. */
interface Replacement {
  path: DocumentPath;
  value: unknown;
  problem: string;
}

/** Finds a value along the path that isn't an object, a list or a short form, and suggests a replacement for it. */
function replaceScalar({ current, path }: ValueEdit, value: unknown): Replacement | undefined {
  for (let length = 1; length < path.length; length++) {
    const at = path.slice(0, length);
    const blocker = getLongValue(current.document, at);
    const container = toLongForm(at, blocker);
    if (container === undefined) return undefined;
    if (isObject(container) || Array.isArray(container)) continue;
    const problem = `${at.join(".")} is ${JSON.stringify(blocker)}, which has no items or fields`;
    const examplePath = path.map((step) => (typeof step === "number" ? 0 : step));
    return { path: at, value: wrapValue(examplePath, length, value), problem };
  }
  return undefined;
}

const REPLACEMENT_PREFIX = "; to replace it: ";

/** Suggests the command that replaces a value with an object or list, if the result would be valid. */
async function suggestReplacement(edit: ValueEdit, { path, value }: Replacement): Promise<string> {
  const replacement = { ...edit, path };
  const draft = await editDocument(replacement, value, (editor) => editor.set(path, value));
  if ((await edit.judge(draft, edit.current, path)) !== undefined) return "";
  return `${REPLACEMENT_PREFIX}${formatConfigCommand("set", edit.source.scope, path)} ${quoteTypedJson(value)}`;
}

export const formatConfigCommand = (verb: "set" | "unset", scope: ConfigScope, path: DocumentPath): string =>
  formatOwnCommand(["config", verb, ...(scope === "user" ? [] : ["--scope", scope]), path.join(".")]);

/**
 * Lists the values that typed text could stand for: JSON or a plain string.
 * @throws Error for a list or object that isn't valid JSON.
 */
function listPossibleValues(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? [value] : [value, text];
  } catch (error) {
    const value = /^\s*[[{]/.test(text) ? parseJson5(text) : undefined;
    if (value !== undefined) return [value];
    if (/^\s*[[{"]/.test(text))
      throw new Error(`${text} is not valid JSON (${(error as Error).message}); quote it for the shell: '["a", "b"]'`);
    return [text];
  }
}

/** Parses JSON that may use single quotes, because PowerShell strips double quotes from arguments. */
function parseJson5(text: string): unknown {
  try {
    return Bun.JSON5.parse(text);
  } catch {
    return undefined;
  }
}

/** The path segment that stands for a new last item of a list. */
const NEW_ITEM = "+";

/**
 * Resolves `+` in a key to the index of a new list item.
 * @throws Error if the value at that position isn't a list.
 */
export function locateNewItems(key: DocumentPath, document: ConfigDraft["document"]): DocumentPath {
  const path: (string | number)[] = [];
  for (const step of key) {
    const list = step === NEW_ITEM ? toLongForm(path, getLongValue(document, path)) : undefined;
    // Scalars are rejected later, with a suggested replacement.
    if (isObject(list)) throw new Error(`${path.join(".")} is ${JSON.stringify(list)}, not a list`);
    path.push(step !== NEW_ITEM ? step : Array.isArray(list) ? list.length : 0);
  }
  return path;
}

/**
 * A value to set. `numbers` says whether a number in the path creates a list item or an object key if nothing exists at
 * that position.
 */
interface NewValue {
  value: unknown;
  numbers: "items" | "names";
}

/**
 * Sets a value, expanding short forms in the path.
 * @throws Error if an index is past the end of a list.
 */
function setValue(editor: Editor, path: DocumentPath, { value, numbers }: NewValue): void {
  for (let length = 1; length < path.length; length++) {
    const container = expandShortForm(editor, path.slice(0, length));
    if (container === undefined && numbers === "items")
      return editor.set(path.slice(0, length), wrapValue(path, length, value));
    if (container === undefined) break;
    const at = path.slice(0, length).join(".");
    const nextKey = path[length] as string | number;
    if (Array.isArray(container)) {
      if (typeof nextKey !== "number" || nextKey > container.length)
        throw new Error(`${at} has ${container.length} items; use ${at}.0 to ${at}.${container.length}`);
      if (nextKey === container.length) return editor.append(path.slice(0, length), wrapValue(path, length + 1, value));
    }
  }
  editor.set(path, value);
}

/** Replaces a short form with the equivalent long form, and returns the long form. */
function expandShortForm(editor: Editor, path: DocumentPath): unknown {
  const value = getValueAt(editor.value(), path);
  const longForm = toLongForm(path, value);
  if (longForm !== value) editor.set(path, longForm);
  return longForm;
}

/**
 * Wraps a value in the containers that the rest of the path requires.
 * @throws Error if a new list wouldn't start with index 0.
 */
const wrapValue = (path: DocumentPath, index: number, value: unknown): unknown =>
  path.slice(index).reduceRight<unknown>((all, step) => {
    if (typeof step !== "number") return { [step]: all };
    const list = path.slice(0, path.lastIndexOf(step)).join(".");
    if (step > 0) throw new Error(`${list} is empty; use ${list}.0`);
    return [all];
  }, value);

export async function draftRemoval(edit: ValueEdit, key: string): Promise<ConfigDraft> {
  const { source, current, path, judge } = edit;
  if (getLongValue(current.document, path) === undefined)
    throw new Error(
      `${key} is not set in ${describeFile(source)}; to see where it is set: ${getOwnCommand()} config show --origin`,
    );
  const list = getLongValue(current.document, path.slice(0, -1));
  // The next list item takes the place of the removed item.
  const nextItem: unknown = Array.isArray(list) ? list[Number(path.at(-1)) + 1] : undefined;
  const draft = await editDocument(edit, nextItem, (editor) => removeValue(editor, path));
  const problem = await judge(draft, current, path);
  if (problem === undefined) return draft;
  throw new Error(`${describeFile(source)} was not changed: ${problem}${await suggestRemoval(edit)}`);
}

function removeValue(editor: Editor, path: DocumentPath): void {
  for (let length = 1; length < path.length; length++) expandShortForm(editor, path.slice(0, length));
  editor.remove(path);
  // Remove parents that become empty. An empty list in a setting stays, because it overrides the default.
  for (let parent = path.slice(0, -1); parent.length > 0; parent = parent.slice(0, -1)) {
    if (!editor.isBare(parent) || (parent.length > 1 && Array.isArray(getValueAt(editor.value(), parent)))) break;
    editor.remove(parent);
  }
}

/** If another value has to be removed first, such as a mode's end date, suggests the command that removes it. */
async function suggestRemoval(edit: ValueEdit): Promise<string> {
  const { source, current, path, judge } = edit;
  const parent = path.slice(0, -1);
  const container = getLongValue(current.document, parent);
  for (const name of isObject(container) ? Object.keys(container) : []) {
    const sibling = [...parent, name];
    if (name === path.at(-1)) continue;
    const isRefused = async (...removedPaths: DocumentPath[]) => {
      const remove = (editor: Editor) => removedPaths.forEach((removedPath) => removeValue(editor, removedPath));
      const draft = await editDocument({ ...edit, path: removedPaths.at(-1) as DocumentPath }, undefined, remove);
      return (await judge(draft, current, path)) !== undefined;
    };
    if ((await isRefused(sibling)) || (await isRefused(sibling, path))) continue;
    return `; first: ${formatConfigCommand("unset", source.scope, sibling)}`;
  }
  return "";
}

/**
 * Edits a document's text.
 * @param expected the value at the path afterwards
 * @throws Error if the edited document has a different value at the path, for example because of a duplicate key.
 */
async function editDocument(
  { source, current, path }: ValueEdit,
  expected: unknown,
  change: (editor: Editor) => void,
): Promise<ConfigDraft> {
  const editor = createEditor({ syntax: "json" }, current.text);
  change(editor);
  const document = await parseConfigText(source.path, editor.text);
  if (!isDeepStrictEqual(getValueAt(document, path), expected))
    throw new Error(
      `${describeFile(source)} was not changed: it has a duplicate key; to find it: ${formatOwnCommand(["config", "check", source.path])}`,
    );
  return { text: editor.text, document };
}
