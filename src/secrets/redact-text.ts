import { findSecrets } from "./find.ts";
import { findOptionSecrets } from "./option-places.ts";
import { findPlacedSecrets } from "./places.ts";
import { removeQuotes } from "./quotes.ts";
import { mayHoldSecret, type Secret } from "./scan.ts";

/**
 * Finds secrets that must not be stored, by format and by context, with and without shell quotes. Finds more secrets
 * than the check that denies calls, because a false positive here only hides a word. The additional secrets include
 * passwords, which have no fixed format. The result is sorted and contains no overlaps.
 */
export function findHiddenSecrets(text: string): Secret[] {
  const secrets: Secret[] = mayHoldSecret(text) ? [...findSecrets(text)] : [];
  secrets.push(...findPlacedSecrets(text), ...findOptionSecrets({ text, locate: (at) => at }));
  if (/["'`\\^]/.test(text)) {
    const { text: plain, locate } = removeQuotes(text);
    const plainSecrets = [...(mayHoldSecret(plain) ? findSecrets(plain) : []), ...findPlacedSecrets(plain)];
    for (const { kind, start, end } of plainSecrets)
      secrets.push({ kind, start: locate(start), end: locate(end - 1) + 1 });
  }
  return mergeSecrets(secrets);
}

/**
 * Merges overlapping secrets into one, which has the kind of the first secret. If two secrets start at the same
 * position, the secret found by its format comes first.
 */
function mergeSecrets(secrets: readonly Secret[]): Secret[] {
  const result: Secret[] = [];
  for (const secret of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end);
    else result.push({ ...secret });
  }
  return result;
}

/** Replaces each secret in a text with its kind: `curl -H "Authorization: Bearer [authorization]"`. */
export function redactText(text: string, maxLength = text.length): string {
  let result = "";
  let end = 0;
  for (const secret of findHiddenSecrets(text)) {
    if (secret.start >= maxLength) break;
    result += `${text.slice(end, secret.start)}[${secret.kind}]`;
    end = secret.end;
  }
  return result + text.slice(end, Math.max(end, maxLength));
}
