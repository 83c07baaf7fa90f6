import { findSecrets } from "./find.ts";
import { findOptionSecrets } from "./option-places.ts";
import { findSecretsByContext } from "./places.ts";
import { removeQuotes } from "./quotes.ts";
import { mayHoldSecret, type Secret } from "./scan.ts";

/**
 * Finds everything that must not be stored, by format and by context, with and without shell quotes. Unlike the check
 * that denies calls, also finds passwords and other secrets without a fixed format, since a false positive here only
 * hides a word. The result is sorted, without overlaps.
 */
export function findHiddenSecrets(text: string): Secret[] {
  const secrets: Secret[] = mayHoldSecret(text) ? [...findSecrets(text)] : [];
  secrets.push(...findSecretsByContext(text), ...findOptionSecrets({ text, locate: (at) => at }));
  if (/["'`\\^]/.test(text)) {
    const { text: plain, locate } = removeQuotes(text);
    const plainSecrets = [...(mayHoldSecret(plain) ? findSecrets(plain) : []), ...findSecretsByContext(plain)];
    for (const { kind, start, end } of plainSecrets)
      secrets.push({ kind, start: locate(start), end: locate(end - 1) + 1 });
  }
  return mergeSecrets(secrets);
}

/**
 * Merges overlapping secrets into one, which keeps the kind of the first. If two start at the same position, the longer
 * one counts as the first; if they are equally long, the one found by its format.
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

/** Replaces each secret with its kind: `curl -H "Authorization: Bearer [authorization]"`. */
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
