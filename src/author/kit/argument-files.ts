import type { FileUse } from "../../shell/files/operands.ts";
import { findChangedFiles } from "../../shell/files/patch.ts";
import {
  type ArgumentRole,
  describeArgument,
  describeTool,
  type FileEffect,
  isFileMap,
  isFolderArgument,
  isSourceRemoval,
  splitName,
  type ToolRole,
} from "./argument-names.ts";
import { createPathsError } from "./disk-cache.ts";

/** Matches strings that look like paths. Used if an argument's name also allows other values. */
const PATH_LIKE_STRING = /^file:|^[~.]?[\\/]|^[A-Za-z]:[\\/]|[\\/]|^\.|\.\w{1,8}$/;
/** Matches strings that are certainly paths. Used if an argument's name doesn't say what the value is. */
const UNAMBIGUOUS_PATH = /^(?:file:|~$|~?[\\/]|\.{1,2}[\\/]|\.\w|[A-Za-z]:[\\/]|[\w.-]+[\\/])\S*$/;

/** Maximum nesting depth. Ordinary calls, even ones that contain a large table, are well below this limit. */
const MAX_DEPTH = 32;
const MAX_VALUES = 20_000;
const MAX_PATH_LENGTH = 4096;

/** A file named by a tool's arguments, with the tool's effect on it. */
export interface ArgumentFile extends FileUse {
  /** The tool's effect on the file. Absent if the effect is uncertain or the file is left unchanged. */
  effect?: FileEffect;
  /** Whether the file is the destination of a copy, move, link or archive extraction. */
  isTarget?: true;
}

/** State of the search through a tool's arguments. */
interface ArgumentSearch extends ToolRole {
  tool: string;
  /** Whether the tool applies patches passed as text. True if its name contains "patch", "diff" or "apply". */
  appliesText: boolean;
  visitedValues: number;
  files: ArgumentFile[];
}

/** Arguments that select the operation of a multi-purpose tool. */
const ACTION_ARGUMENTS = "command action operation op method".split(" ");

/** Determines a call's effect from the tool's name, or from an argument such as `{"command": "delete"}`. */
function describeCall(tool: string, input: unknown): ToolRole {
  const toolRole = describeTool(tool);
  const values = typeof input === "object" && input !== null ? Object.entries(input) : [];
  for (const [name, value] of values) {
    if (String(value) === "true" && isSourceRemoval(name)) return { access: "write", effect: "move" };
    if (typeof value !== "string" || !ACTION_ARGUMENTS.includes(name.toLowerCase()) || !/^[\w-]{1,40}$/.test(value))
      continue;
    const operationRole = describeTool(value);
    // An editing tool can have a read-only command, but a tool whose name says "delete" or "write" doesn't.
    const canRead = toolRole.effect === undefined || toolRole.effect === "edit";
    if (operationRole.effect !== undefined || (operationRole.access === "read" && canRead)) return operationRole;
  }
  return toolRole;
}

/**
 * Finds the files in an unknown tool's arguments. Arguments that hold paths are recognized by name, and patches and
 * diffs are searched for file names.
 * @throws Error named "PathsError" if there are too many arguments or they are nested too deeply.
 */
export function findArgumentFiles(tool: string, input: unknown): ArgumentFile[] {
  const appliesText = splitName(tool).some((word) => /^(?:patch|diff|apply)$/.test(word));
  const search: ArgumentSearch = { ...describeCall(tool, input), tool, appliesText, visitedValues: 0, files: [] };
  searchValue(search, input, "", 0);
  return [...search.files, ...joinToFolders(search.files, input)];
}

/** Joins relative paths to each directory named by another argument. */
function joinToFolders(argumentFiles: readonly ArgumentFile[], input: unknown): ArgumentFile[] {
  if (typeof input !== "object" || input === null) return [];
  const folders = Object.entries(input)
    .flatMap(([name, value]) => (typeof value === "string" && isFolderArgument(name) ? [cleanPath(value)] : []))
    .slice(0, MAX_FOLDERS);
  const files =
    folders.length > 0 ? argumentFiles.filter(({ text }) => !ABSOLUTE_PATH.test(text) && !folders.includes(text)) : [];
  return folders.flatMap((folder) => files.map((file) => ({ ...file, text: `${folder}/${file.text}` })));
}
const MAX_FOLDERS = 4;
const ABSOLUTE_PATH = /^(?:[a-z]+:|~|[\\/])/i;

/** Strips quotes, spaces and newlines that a model put around a path. */
const cleanPath = (rawText: string): string => {
  const text = rawText.trim();
  return /^(["'`]).+\1$/s.test(text) ? text.slice(1, -1) : text;
};

/** @param key The argument's name, or the name of the list that contains the value. */
function searchValue(search: ArgumentSearch, value: unknown, key: string, depth: number): void {
  const { tool } = search;
  if (++search.visitedValues > MAX_VALUES)
    throw createPathsError(
      `the arguments of ${tool} have more than ${MAX_VALUES} values, too many to check; split the call`,
    );
  if (depth > MAX_DEPTH)
    throw createPathsError(
      `the arguments of ${tool} are nested more than ${MAX_DEPTH} levels, too deep to check; flatten them`,
    );
  if (typeof value === "string") addFiles(search, value, key);
  else if (Array.isArray(value)) for (const item of value) searchValue(search, item, key, depth + 1);
  else if (typeof value === "object" && value !== null) {
    const isTable = isFileMap(key);
    addNamedFile(search, value);
    for (const [name, item] of Object.entries(value)) {
      if (isTable && UNAMBIGUOUS_PATH.test(name)) addFiles(search, name, "path");
      searchValue(search, item, name, depth + 1);
    }
  }
}

/** Adds the file named by a directory and a file name: `{"dir": "src", "name": "a.ts"}`. */
function addNamedFile(search: ArgumentSearch, value: object): void {
  const texts = Object.entries(value).flatMap(([name, text]): [string, string][] =>
    typeof text === "string" && text !== "" && text.length <= MAX_PATH_LENGTH ? [[name, cleanPath(text)]] : [],
  );
  const name = texts.find(([key, text]) => FILE_NAME.test(key) && !/[\\/\n]/.test(text));
  if (!name) return;
  const role = describeArgument(name[0]);
  for (const [key, folder] of texts) {
    if ((!isFolderArgument(key) && key.toLowerCase() !== "path") || folder.includes("\n")) continue;
    const parentRole = describeArgument(key);
    const [isTarget, isOutput] = [role.isTarget || parentRole.isTarget, role.isOutput || parentRole.isOutput];
    const fileUse = describeUse(search, { ...role, isTarget, isOutput });
    search.files.push({ text: `${folder}/${name[1]}`, given: name[1], ...fileUse });
  }
}
const FILE_NAME = /^(?:(?:file|base)[_-]?)?name$|^file$/i;

/** Adds the files in a patch, or the path if the string is a path. */
function addFiles(search: ArgumentSearch, rawText: string, key: string): void {
  const role = describeArgument(key, search.effect);
  if (rawText.includes("\n")) addPatchedFiles(search, rawText, role);
  // Don't clean up strings that are too long to be paths.
  const value =
    rawText.length > MAX_PATH_LENGTH
      ? rawText
      : role.kind === "glob"
        ? findGlobFolder(cleanPath(rawText))
        : cleanPath(rawText);
  if (value === "" || value.length > MAX_PATH_LENGTH || /[\n\0]/.test(value) || !isPath(search, value, role)) return;
  const text = role.isName ? joinToSibling(search, value) : value;
  search.files.push({ text, given: rawText, ...describeUse(search, role) });
}

/**
 * Adds the files that a patch changes. Skips text that the tool probably only stores, since a patch in that text is
 * never applied.
 */
function addPatchedFiles({ access, appliesText, files }: ArgumentSearch, text: string, { kind }: ArgumentRole): void {
  if (access !== "write" || (kind === "text" && !appliesText && !text.includes("*** Begin Patch"))) return;
  for (const { file_path, moved_to, operation } of findChangedFiles(text)) {
    const effect =
      operation === "delete" ? "remove" : operation === "move" ? "move" : operation === "add" ? "write" : "edit";
    files.push({ text: file_path, access: "write", effect });
    if (moved_to !== undefined) files.push({ text: moved_to, access: "write", effect, isTarget: true });
  }
}

/** Returns the directory that contains all matches of a glob. */
function findGlobFolder(glob: string): string {
  const at = glob.search(/[*?[{]/);
  return at < 0 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf("/", at)));
}

function isPath({ access, uncertain, effect }: ArgumentSearch, value: string, { kind }: ArgumentRole): boolean {
  if (kind === "path" || kind === "glob") return true;
  if (kind === "place") return PATH_LIKE_STRING.test(value);
  return kind === "unknown" && access === "write" && !uncertain && effect !== undefined && UNAMBIGUOUS_PATH.test(value);
}

/** Resolves the new name of a renamed file against the file's directory. */
function joinToSibling({ effect, files }: ArgumentSearch, name: string): string {
  const [source] = files;
  if (effect !== "move" || source === undefined || /[\\/]/.test(name)) return name;
  return source.text.slice(0, Math.max(source.text.lastIndexOf("/"), source.text.lastIndexOf("\\")) + 1) + name;
}

/** Determines the tool's effect on a file from the argument that names it. */
function describeUse({ access, uncertain, effect }: ArgumentSearch, role: ArgumentRole): Omit<ArgumentFile, "text"> {
  // A tool that reads files can still write an output file.
  if (access !== "write") return { access: access === "read" && isOutputFile(role) ? "write" : access };
  const isSource = role.isSource && !role.isTarget;
  const isTarget = role.isTarget && !isSource;
  // A copy only reads the source, but a move removes it.
  if (isSource && effect !== "move" && effect !== "remove" && effect !== "edit")
    return { access: "read", ...(effect && { effect }) };
  return {
    access: "write",
    ...(uncertain && { uncertain }),
    ...(effect && { effect }),
    ...(isTarget && { isTarget }),
    ...((effect === "fill" || effect === "mount") && (isTarget || !role.isSource) && { fills: true as const }),
  };
}

const isOutputFile = ({ kind, isOutput, isSource }: ArgumentRole): boolean => kind !== "text" && isOutput && !isSource;
