import { skipExpansion } from "../programs/unknown-parts.ts";
import type { Word } from "../words/word.ts";
import { stripEnd } from "../words/text.ts";

/** A directory of this machine, and its place in a container. */
interface Mount {
  here: Word;
  there: string;
}

/** A word of a command in a container as it is on this machine. */
interface HostWord {
  word: Word;
  /** It names something that is shared. */
  isShared: boolean;
}

const getValue = (parts: readonly string[], names: readonly string[]): string | undefined =>
  parts.find((part) => names.includes(part.split("=", 1)[0] as string))?.replace(/^[^=]*=/, "");

/** The index of the first colon outside of expansions, but for that of a drive. */
function findColon(text: string): number {
  for (let at = /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0; at < text.length;) {
    if (text[at] === ":") return at;
    at = Math.max(at + 1, skipExpansion(text, at));
  }
  return text.length;
}

const stripSlashes = (path: string) => stripEnd(path, "/", 1);

/** Reads `/srv:/data:ro`, and `type=bind,source=/srv,target=/data`. A volume has a name instead of a path. */
export function readMount({ text, dynamic }: Word): Mount[] {
  // `-v=/srv:/data`
  const written = (dynamic ?? text).replace(/^=/, "");
  const parts = /^\w+=/.test(written) ? written.split(",") : undefined;
  const colon = findColon(written);
  const source = parts ? getValue(parts, ["source", "src"]) : written.slice(0, colon);
  // Relative to where the container is started, not to a folder in it.
  const here = source?.replace(/^\.(?=\/|$)/, "$PWD").replace(/^\.\.(?=\/|$)/, "$PWD/..");
  const there = parts ? getValue(parts, ["target", "dst", "destination"]) : written.slice(colon + 1).split(":", 1)[0];
  if (!there?.startsWith("/") || here === undefined || !/^(?:[./~$`\\]|[A-Za-z]:)/.test(here)) return [];
  const isLive = dynamic !== undefined || here !== source || here.startsWith("~");
  return [{ here: isLive ? { text: here, dynamic: here } : { text: here }, there: stripSlashes(there) }];
}

/** Longer words are not searched for directories. */
const LONGEST = 10_000;

/** Puts the directories of this machine into a word, in the place of those of a container. */
export function toHostWord(word: Word, mounts: readonly Mount[]): HostWord {
  let { text, dynamic } = word;
  let isShared = false;
  for (const { here, there } of text.length > LONGEST ? [] : mounts) {
    const mountedPath = new RegExp(`(?<![\\w.~/-])${RegExp.escape(there)}(?:(/)|(?![\\w.-]))`, "g");
    if (there === "/" || !mountedPath.test(text)) continue;
    isShared = true;
    const folder = stripSlashes(here.text);
    const put = (given: string) =>
      given.replace(mountedPath, (_, slash: string | undefined) => (folder === "/" ? "/" : folder + (slash ?? "")));
    // In a script the shell that reads it expands what is put there.
    if (here.dynamic !== undefined && !/\s/.test(text)) dynamic = put(dynamic ?? text);
    else dynamic &&= put(dynamic);
    text = put(text);
  }
  return { word: dynamic === undefined ? { text } : { text, dynamic }, isShared };
}
