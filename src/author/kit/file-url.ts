import type * as Url from "node:url";

/** The path of a `file:` URL; undefined for other URLs. Other text is returned as it is. */
export function parseFileUrl(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return text;
  if (!/^file:/i.test(text)) return undefined;
  try {
    // Loaded here: it takes longer than all that is done with the files of most lines.
    return (require("node:url") as typeof Url).fileURLToPath(text);
  } catch {
    return text;
  }
}
