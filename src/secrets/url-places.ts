import { looksRandom, type NameStrength } from "./secret-names.ts";

/** Adds a secret unless it is empty. */
export type AddSecret = (kind: string, start: number, end: number) => void;

/** Returns whether a part of the text is a secret. A `$` in single quotes is taken literally. */
export type SecretCheck = (part: { start: number; end: number }, strength: NameStrength) => boolean;

const URL_START = /:\/\//g;
const MAX_USERINFO_LENGTH = 400;
const MIN_TOKEN_LENGTH = 16;

/** Finds passwords in URLs, and tokens used as the username. */
export function findInUrls(text: string, isSecret: SecretCheck, add: AddSecret): void {
  URL_START.lastIndex = 0;
  for (let match = URL_START.exec(text); match; match = URL_START.exec(text)) {
    const start = URL_START.lastIndex;
    let end = start;
    while (end < text.length && end - start < MAX_USERINFO_LENGTH && !/[\s"'`<>]/.test(text[end] as string)) end++;
    const run = text.slice(start, end);
    const path = /[/?#]/.exec(run)?.index ?? run.length;
    const inAuthority = run.lastIndexOf("@", path);
    const colon = run.indexOf(":");
    // If the text after the first colon isn't a port, it is a password that contains a slash.
    const at =
      inAuthority >= 0
        ? inAuthority
        : colon >= 0 && colon < path && !/^\d{0,5}$/.test(run.slice(colon + 1, path))
          ? run.lastIndexOf("@")
          : -1;
    if (at < 0) continue;
    const from = colon >= 0 && colon < at ? colon + 1 : 0;
    const value = run.slice(from, at);
    const part = { start: start + from, end: start + at };
    if (from > 0 ? isSecret(part, "strong") : value.length >= MIN_TOKEN_LENGTH && looksRandom(value))
      add(from > 0 ? "password" : "token", part.start, part.end);
  }
}
