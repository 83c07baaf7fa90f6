import { SECRET_RULES } from "./kinds/index.ts";
import type { SecretRule } from "./kinds/rule.ts";
import { findAnchors, isTokenStart, URL_LITERAL } from "./anchors.ts";
import { isInBase64 } from "./base64.ts";
import { blankColors, hasColors, removeColors } from "./colors.ts";
import type { Secret } from "./scan.ts";

const RULES_BY_LITERAL = new Map<string, SecretRule[]>();
for (const rule of SECRET_RULES)
  for (const literal of rule.prefixes) {
    const rules = RULES_BY_LITERAL.get(literal);
    if (rules) rules.push(rule);
    else RULES_BY_LITERAL.set(literal, [rule]);
  }

/** A URL with credentials, up to and including its path. */
const CREDENTIAL_URL =
  /(?<scheme>[A-Za-z][A-Za-z0-9+]{1,20}):\/\/(?<name>[^\s/:@"'`<>\\]{0,100}):(?<password>[^\s/:@"'`<>\\]{4,2000})@(?<host>[\w.-]{1,253}|\[[0-9A-Fa-f:]{2,40}\])(?::\d{1,5})?(?:\/[\w.~%/-]{0,200})?/y;
const MAX_SCHEME_LENGTH = 21;
const DATABASE_SCHEME = /sql|postgres|mongo|maria|redis|click|couch|db/i;
/** Documentation hosts, the local machine, and names that resolve only inside a container network. */
const LOCAL_HOST =
  /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local|internal)$|^(?:127\.[\d.]+|0\.0\.0\.0|\[::1\]|[^.[]+)$/i;

/** Words and patterns typical of placeholders. Real keys never contain them. */
const PLACEHOLDER_PATTERN = /example|placeholder|redacted|your[-_]|([^A=])\1{7}|1234567890|0123456789|abcdefghij/i;
/** Words joined in a single case, such as `my-api-key`: a name rather than a key. */
const SAME_CASE_WORDS = /^(?:[a-z]+(?:[-_.][a-z]+)+|[A-Z]+(?:[-_.][A-Z]+)+)$/;
/** Placeholder passwords, including template expressions to be filled in later. */
const PLACEHOLDER_PASSWORD =
  /^(?:(?:my|the|your|some|db|api|a|user)?[-_]?(?:pass(?:w(?:or)?d)?|pwd|pw|secret|token|key|user(?:name)?|auth|credentials?|change[-_]?me|test(?:ing)?|foo|bar|baz|dev|root|admin|postgres|guest)[-_]?(?:here|\d{1,3})?|(.)\1*)$|[${}[\]()*]|%[A-Z_]+%|%[sdv]|\.\.\.|…/i;
/** Suffixes of test keys published for anyone to use: https://docs.stripe.com/keys */
const PUBLISHED_SUFFIXES = ["4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2"];

/** Minimum number of distinct characters in a key. */
const MIN_DISTINCT_CHARACTERS = 8;

function isPlaceholder(secret: string): boolean {
  return (
    PLACEHOLDER_PATTERN.test(secret) ||
    SAME_CASE_WORDS.test(secret) ||
    new Set(secret.slice(0, 1_000)).size < MIN_DISTINCT_CHARACTERS ||
    PUBLISHED_SUFFIXES.some((end) => secret.endsWith(end))
  );
}

interface SecretScan {
  text: string;
  secrets: Secret[];
  /** Where each rule's last match ended. Its next match can't start before that. */
  ends: Map<unknown, number>;
}

/**
 * Finds all secrets that match a rule, in order and without overlaps, even if terminal color sequences interrupt them.
 */
export function findSecrets(text: string): readonly Secret[] {
  if (!hasColors(text)) return removeOverlaps(findPlainSecrets(text));
  const { text: plain, locate } = removeColors(text);
  const plainSecrets = findPlainSecrets(plain).map(({ kind, start, end }) => ({
    kind,
    start: locate(start),
    end: locate(end - 1) + 1,
  }));
  return removeOverlaps([...plainSecrets, ...findPlainSecrets(blankColors(text))]);
}

function findPlainSecrets(text: string): Secret[] {
  const scan: SecretScan = { text, secrets: [], ends: new Map() };
  for (const anchor of findAnchors(text))
    if (anchor.literal === URL_LITERAL) findInUrl(anchor.at, scan);
    else for (const rule of RULES_BY_LITERAL.get(anchor.literal) ?? []) applyRule(rule, anchor.at, scan);
  return scan.secrets;
}

function removeOverlaps(secrets: Secret[]): readonly Secret[] {
  secrets.sort((a, b) => a.start - b.start || b.end - a.end);
  const distinct: Secret[] = [];
  for (const secret of secrets) if (secret.start >= (distinct.at(-1)?.end ?? 0)) distinct.push(secret);
  return distinct;
}

function applyRule(rule: SecretRule, at: number, { text, secrets, ends }: SecretScan): void {
  const { kind, pattern, lead: [minLead, maxLead] = [0, 0], isSecret } = rule;
  for (let lead = maxLead; lead >= minLead; lead--) {
    const from = at - lead;
    if (from < (ends.get(rule) ?? 0) || (rule.position === "inside" && !isTokenStart(text, from))) continue;
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (!match) continue;
    ends.set(rule, pattern.lastIndex);
    const secret = match.groups?.value ?? match[0].trimEnd();
    const start = text.indexOf(secret, from);
    const end = start + secret.length;
    if (!isPlaceholder(secret) && (isSecret?.(secret) ?? true) && !isInBase64(text, start, end))
      secrets.push({ kind, start, end });
    return;
  }
}

function findInUrl(at: number, { text, secrets, ends }: SecretScan): void {
  let from = at;
  while (from > 0 && at - from < MAX_SCHEME_LENGTH && /[A-Za-z0-9+]/.test(text[from - 1] as string)) from--;
  // A scheme starts with a letter.
  while (from < at && !/[A-Za-z]/.test(text[from] as string)) from++;
  if (from < (ends.get(CREDENTIAL_URL) ?? 0)) return;
  CREDENTIAL_URL.lastIndex = from;
  const match = CREDENTIAL_URL.exec(text);
  if (!match) return;
  ends.set(CREDENTIAL_URL, CREDENTIAL_URL.lastIndex);
  const { scheme, name, password, host } = match.groups as Record<"scheme" | "name" | "password" | "host", string>;
  // With the password `x-oauth-basic`, GitHub takes the token from the username.
  const secret = password === "x-oauth-basic" ? name : password;
  if (
    LOCAL_HOST.test(host) ||
    PLACEHOLDER_PATTERN.test(secret) ||
    PLACEHOLDER_PASSWORD.test(secret) ||
    name === password
  )
    return;
  secrets.push({
    kind: DATABASE_SCHEME.test(scheme) ? "database-url" : "basic-auth-url",
    start: from,
    end: from + match[0].length,
  });
}
