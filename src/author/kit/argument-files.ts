import type { FileUse } from "../../shell/files/operands.ts";
import { findPatchedFiles } from "../../shell/files/patch.ts";
import type { FileAccess } from "../../shell/programs/program.ts";
import { createPathsError } from "./disk-cache.ts";

/** Names of arguments whose value is a path. */
const PATH_ARGUMENTS = /(?:^|_)(?:paths?|files?|file_?names?|dir|dirs|directory|directories|folders?|notebook)$/;
/** Names of arguments whose value is a path if it looks like one. */
const MAYBE_PATH_ARGUMENTS =
  /(?:^|_)(?:source|src|destination|dest|target|from|to|uris?|urls?|root|roots|cwd|location|output|input)$/;
const PATH_FORM = /^file:|^[~.]?[\\/]|^[A-Za-z]:[\\/]|[\\/]|^\.|\.\w{1,8}$/;

const READING_TOOL =
  /(?:^|_)(?:read|get|view|open|load|show|cat|search|grep|fetch|download|upload|send|import|parse|analy[sz]e|diff|compare)(?:_|$)/;
const LISTING_TOOL = /(?:^|_)(?:list|ls|stat|info|exists|tree|glob|find)(?:_|$)/;
const WRITING_TOOL =
  /(?:^|_)(?:write|edit|create|delete|remove|move|rename|save|update|append|insert|replace|patch|put|set|copy|mkdir|make|touch|trash|apply|modify|export)(?:_|$)/;

const toSnakeCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();

/** Guesses from a tool's name what it does with files. */
function guessAccess(tool: string): { access: FileAccess; uncertain?: true } {
  const name = toSnakeCase(tool);
  if (WRITING_TOOL.test(name)) return { access: "write" };
  if (READING_TOOL.test(name)) return { access: "read" };
  return LISTING_TOOL.test(name) ? { access: "list" } : { access: "write", uncertain: true };
}

/** Deeper than any ordinary call: a table of some thousand cells, or a document with a dozen levels. */
const MAX_DEPTH = 32;
const MAX_VALUES = 20_000;
const MAX_PATH_LENGTH = 4096;

/** A tool whose arguments are searched, and what was found in them. */
interface ArgumentSearch extends ReturnType<typeof guessAccess> {
  tool: string;
  isMove: boolean;
  seen: number;
  found: FileUse[];
}

/**
 * Finds the files in the arguments of an unknown tool, by the names of the arguments and in patches.
 * @throws Error named "PathsError" if there are too many arguments, or they are nested too deeply.
 */
export function findArgumentFiles(tool: string, input: unknown): FileUse[] {
  const isMove = /(?:^|_)(?:move|rename)(?:_|$)/.test(toSnakeCase(tool));
  const search: ArgumentSearch = { ...guessAccess(tool), tool, isMove, seen: 0, found: [] };
  searchValue(search, input, "", 0);
  return search.found;
}

function searchValue(search: ArgumentSearch, value: unknown, key: string, depth: number): void {
  const { tool } = search;
  if (++search.seen > MAX_VALUES)
    throw createPathsError(
      `the arguments of ${tool} hold too many values to look at (more than ${MAX_VALUES}); split the call up`,
    );
  if (depth > MAX_DEPTH)
    throw createPathsError(
      `the arguments of ${tool} are nested too deeply to look at (more than ${MAX_DEPTH} levels); make them flatter`,
    );
  if (typeof value === "string") addFiles(search, value, key);
  else if (Array.isArray(value)) for (const item of value) searchValue(search, item, key, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value))
      searchValue(search, item, typeof item === "object" && !Array.isArray(item) ? "" : toSnakeCase(name), depth + 1);
}

/** Adds the files of a patch, and the file that a text names. */
function addFiles({ access, uncertain, isMove, found }: ArgumentSearch, value: string, key: string): void {
  for (const { file_path, moved_to } of findPatchedFiles(value))
    for (const text of [file_path, ...(moved_to ? [moved_to] : [])]) found.push({ text, access: "write" });
  const isPath = PATH_ARGUMENTS.test(key) || (MAYBE_PATH_ARGUMENTS.test(key) && PATH_FORM.test(value));
  if (!isPath || value === "" || value.length > MAX_PATH_LENGTH || /[\n\0]/.test(value)) return;
  // The source of a copy is only read; that of a move is removed.
  const isSource = access === "write" && !isMove && /(?:^|_)(?:source|src|from)(?:_|$)/.test(key);
  found.push({ text: value, access: isSource ? "read" : access, ...(uncertain && { uncertain }) });
}
