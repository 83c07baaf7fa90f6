import { findSecrets } from "./find.ts";
import { findOptionSecrets } from "./option-places.ts";
import { findPlacedSecrets } from "./places.ts";
import { removeQuotes } from "./quotes.ts";
import { mayHoldSecret, type Secret } from "./scan.ts";

/**
 * The secrets in a text that must not be kept: by their form, and by the place where they stand, with and without the
 * quotes that a shell takes away. They are more than a call is denied for: a password has no form, and a wrong guess costs
 * a word of a line. In order; none overlaps another.
 */
export function findHiddenSecrets(text: string): Secret[] {
  const found: Secret[] = mayHoldSecret(text) ? [...findSecrets(text)] : [];
  found.push(...findPlacedSecrets(text), ...findOptionSecrets({ text, locate: (at) => at }));
  if (/["'`\\^]/.test(text)) {
    const { text: plain, locate } = removeQuotes(text);
    const inPlain = [...(mayHoldSecret(plain) ? findSecrets(plain) : []), ...findPlacedSecrets(plain)];
    for (const { kind, start, end } of inPlain) found.push({ kind, start: locate(start), end: locate(end - 1) + 1 });
  }
  return mergeSecrets(found);
}

/** Joins secrets that overlap; what is known by its form comes first, and gives the name. */
function mergeSecrets(found: readonly Secret[]): Secret[] {
  const merged: Secret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end);
    else merged.push({ ...secret });
  }
  return merged;
}

/** Replaces the secrets in a text by their kinds: `curl -H "Authorization: Bearer [authorization]"`. */
export function redactText(text: string, most = text.length): string {
  let redacted = "";
  let end = 0;
  for (const secret of findHiddenSecrets(text)) {
    if (secret.start >= most) break;
    redacted += `${text.slice(end, secret.start)}[${secret.kind}]`;
    end = secret.end;
  }
  return redacted + text.slice(end, Math.max(end, most));
}
