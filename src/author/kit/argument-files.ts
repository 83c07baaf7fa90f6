import type { FileUse } from "../../shell/operands.ts";
import { patchedFiles } from "../../shell/patch.ts";
import type { Access } from "../../shell/programs/program.ts";
import { pathsError } from "./disk.ts";

/** Arguments whose value is a path. */
const PATHS = /(?:^|_)(?:paths?|files?|file_?names?|dir|dirs|directory|directories|folders?|notebook)$/;
/** Arguments whose value may be one, if it looks so. */
const MAYBE = /(?:^|_)(?:source|src|destination|dest|target|from|to|uris?|urls?|root|roots|cwd|location|output|input)$/;
const LOOKS = /^file:|^[~.]?[\\/]|^[A-Za-z]:[\\/]|[\\/]|^\.|\.\w{1,8}$/;

const READING =
  /(?:^|_)(?:read|get|view|open|load|show|cat|search|grep|fetch|download|upload|send|import|parse|analy[sz]e|diff|compare)(?:_|$)/;
const LISTING = /(?:^|_)(?:list|ls|stat|info|exists|tree|glob|find)(?:_|$)/;
const WRITING =
  /(?:^|_)(?:write|edit|create|delete|remove|move|rename|save|update|append|insert|replace|patch|put|set|copy|mkdir|make|touch|trash|apply|modify|export)(?:_|$)/;

const words = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();

/** What a tool of that name does with files. */
function accessOf(tool: string): { access: Access; uncertain?: true } {
  const name = words(tool);
  if (WRITING.test(name)) return { access: "write" };
  if (READING.test(name)) return { access: "read" };
  return LISTING.test(name) ? { access: "list" } : { access: "write", uncertain: true };
}

/** No call of everyday has more: a table of some thousand cells, a document of a dozen levels. */
const DEEPEST = 32;
const MOST = 20_000;
const LONGEST = 4096;

/**
 * The files in the arguments of a tool that isn't known: by the arguments' names, and in patches.
 * @throws Error named "PathsError" where there are too many arguments to look at, or they are nested too deeply.
 */
export function argumentFiles(tool: string, input: unknown): FileUse[] {
  const found: FileUse[] = [];
  const { access, uncertain } = accessOf(tool);
  const moves = /(?:^|_)(?:move|rename)(?:_|$)/.test(words(tool));
  let seen = 0;
  const look = (value: unknown, key: string, depth: number): void => {
    if (++seen > MOST)
      throw pathsError(
        `the arguments of ${tool} hold too many values to look at (more than ${MOST}); split the call up`,
      );
    if (depth > DEEPEST)
      throw pathsError(
        `the arguments of ${tool} are nested too deeply to look at (more than ${DEEPEST} levels); make them flatter`,
      );
    if (typeof value === "string") {
      for (const { file_path, moved_to } of patchedFiles(value))
        for (const text of [file_path, ...(moved_to ? [moved_to] : [])]) found.push({ text, access: "write" });
      const isPath = PATHS.test(key) || (MAYBE.test(key) && LOOKS.test(value));
      if (!isPath || value === "" || value.length > LONGEST || /[\n\0]/.test(value)) return;
      // What is copied is read; what is moved goes away.
      const source = access === "write" && !moves && /(?:^|_)(?:source|src|from)(?:_|$)/.test(key);
      found.push({ text: value, access: source ? "read" : access, ...(uncertain && { uncertain }) });
    } else if (Array.isArray(value)) for (const item of value) look(item, key, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [name, item] of Object.entries(value))
        look(item, typeof item === "object" && !Array.isArray(item) ? "" : words(name), depth + 1);
  };
  look(input, "", 0);
  return found;
}
