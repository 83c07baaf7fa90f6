import { skipExpansion } from "../programs/unknown-parts.ts";
import type { Word } from "../words/word.ts";
import { trimTrailing } from "../words/text.ts";

/** A local directory and its mount point inside a container. */
interface Mount {
  hostFolder: Word;
  containerFolder: string;
}

/** A word from a container command, with container paths translated into local paths. */
interface LocalWord {
  word: Word;
  /** Whether the word refers to a path in a directory mounted into the container. */
  isShared: boolean;
}

const getValue = (parts: readonly string[], names: readonly string[]): string | undefined =>
  parts.find((part) => names.includes(part.split("=", 1)[0] as string))?.replace(/^[^=]*=/, "");

/** Returns the index of the first colon outside expansions, ignoring the colon of a drive letter. */
function findColon(text: string): number {
  for (let at = /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0; at < text.length;) {
    if (text[at] === ":") return at;
    at = Math.max(at + 1, skipExpansion(text, at));
  }
  return text.length;
}

const stripSlashes = (path: string) => trimTrailing(path, "/", 1);

/** Parses `/srv:/data:ro` and `type=bind,source=/srv,target=/data`. The source of a volume is a name, not a path. */
export function readMount({ text, dynamic }: Word): Mount[] {
  // A short option may use an equals sign: `-v=/srv:/data`.
  const mountText = (dynamic ?? text).replace(/^=/, "");
  const parts = /^\w+=/.test(mountText) ? mountText.split(",") : undefined;
  const colon = findColon(mountText);
  const source = parts ? getValue(parts, ["source", "src"]) : mountText.slice(0, colon);
  // A relative source refers to the local directory in which the container is started.
  const hostPath = source?.replace(/^\.(?=\/|$)/, "$PWD").replace(/^\.\.(?=\/|$)/, "$PWD/..");
  const containerPath = parts
    ? getValue(parts, ["target", "dst", "destination"])
    : mountText.slice(colon + 1).split(":", 1)[0];
  if (!containerPath?.startsWith("/") || hostPath === undefined || !/^(?:[./~$`\\]|[A-Za-z]:)/.test(hostPath))
    return [];
  const isDynamic = dynamic !== undefined || hostPath !== source || hostPath.startsWith("~");
  return [
    {
      hostFolder: isDynamic ? { text: hostPath, dynamic: hostPath } : { text: hostPath },
      containerFolder: stripSlashes(containerPath),
    },
  ];
}

/** Longest word in which paths are translated. */
const MAX_WORD_LENGTH = 10_000;

/** Replaces container mount points in a word with local directories. */
export function toLocalWord(word: Word, mounts: readonly Mount[]): LocalWord {
  let { text, dynamic } = word;
  let isShared = false;
  for (const { hostFolder, containerFolder } of text.length > MAX_WORD_LENGTH ? [] : mounts) {
    const mountedPath = new RegExp(`(?<![\\w.~/-])${RegExp.escape(containerFolder)}(?:(/)|(?![\\w.-]))`, "g");
    if (containerFolder === "/" || !mountedPath.test(text)) continue;
    isShared = true;
    const folder = stripSlashes(hostFolder.text);
    const translatePath = (path: string) =>
      path.replace(mountedPath, (_, slash: string | undefined) => (folder === "/" ? "/" : folder + (slash ?? "")));
    // If the word is a script, the shell that runs it expands the path.
    if (hostFolder.dynamic !== undefined && !/\s/.test(text)) dynamic = translatePath(dynamic ?? text);
    else dynamic &&= translatePath(dynamic);
    text = translatePath(text);
  }
  return { word: dynamic === undefined ? { text } : { text, dynamic }, isShared };
}
