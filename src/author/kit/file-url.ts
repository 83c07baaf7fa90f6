import type * as Url from "node:url";

/** Returns the path of a `file:` URL, or undefined for other URLs. Returns any other string unchanged. */
export function parseFileUrl(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return text;
  if (!/^file:/i.test(text)) return undefined;
  try {
    // Loaded on demand, because loading this module takes longer than processing the files of most commands.
    return (require("node:url") as typeof Url).fileURLToPath(text);
  } catch {
    return text;
  }
}
