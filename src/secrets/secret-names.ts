/** A word in a name. `dbPassword`, `DB_PASSWORD` and `db-password` all split into the same words. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** Endings of secret names. Letters can come directly before them: `PGPASSWORD`, `authtoken`. */
const SECRET_WORD =
  /(?:passwords?|passwd|passphrase|passcode|secret|token|authorization|credentials?|(?:api|access|auth|secret|private)key|secretkeybase)$/;
/** Short endings that count only after certain prefixes, since words such as `bypass` share them. */
const SHORT_SECRET_WORD =
  /^(?:db|user|my|root|admin|store|key|ssh|ftp|smtp|mail|http|proxy|rds|redis|require|bind|sudo|master)?(?:pass|pwd)$|^(?:psk|passkey|bearer)$/;
/** Words that turn a following "key" into a secret, as in "api key". */
const KEY_OWNERS = new Set(
  "api access secret private encryption encrypt decryption signing sign master account auth service client consumer storage subscription license shared session deploy hmac jwt aes cipher crypt app application rest admin write data webhook function host web pre".split(
    " ",
  ),
);
/** An environment variable that ends in `_KEY`, such as `FOO_KEY`. */
const KEY_VARIABLE = /^[A-Z][A-Z\d_]{0,78}_KEY$/;
/** Words that make a following "key" an ordinary database or lookup key, as in "primary key". */
const DATA_WORDS = new Set(
  "primary foreign public sort partition cache routing unique hot group index lookup map row object s3 dedup idempotency".split(
    " ",
  ),
);
/** Words that can follow the name of a secret, as in `SECRET_KEY_BASE` and `password2`. */
const TRAILING_WORD =
  /^(?:base|base64|value|text|string|plain|plaintext|raw|hex|new|old|current|confirm|confirmation|again|main|prod|production|dev|staging|stage|test|live|sandbox|primary|secondary|github|gitlab|bitbucket|npm|pypi|docker|slack|discord|telegram|openai|anthropic|stripe|sentry|heroku|vercel|netlify|cloudflare|aws|gcp|azure|db|database|postgres|mysql|redis|mongo|smtp|\d+)$/;
/** Variables that contain a directory despite the "PWD" in their name. */
const FOLDER_NAMES: readonly string[] = ["PWD", "OLDPWD"];

/** Names that don't always mean a secret, so the value must look like one. */
const WEAK_WORD =
  /^(?:auth|key|keys|cookie|cookies|session|sessionid|sid|sig|signature|pat|otp|pin|sas|login|code|community)$/;

/**
 * How strongly a name suggests a secret. With a "strong" name, any value counts as a secret; with a "weak" name, only a
 * value that looks random does.
 */
export type NameStrength = "strong" | "weak" | undefined;

export function rateName(name: string): NameStrength {
  if (FOLDER_NAMES.includes(name)) return undefined;
  const words = name.match(WORD)?.map((word) => word.toLowerCase()) ?? [];
  while (words.length > 1 && TRAILING_WORD.test(words.at(-1) as string)) words.pop();
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (last === "pw") return "strong";
  if (SECRET_WORD.test(last) || SHORT_SECRET_WORD.test(last)) return "strong";
  const owner = words.at(-2) ?? "";
  if (last === "key" && (KEY_OWNERS.has(owner) || (KEY_VARIABLE.test(name) && !DATA_WORDS.has(owner)))) return "strong";
  if (/^cookies?$/.test(last) && words.length <= 2) return "strong";
  return WEAK_WORD.test(last) ? "weak" : undefined;
}

const KIND_WORD = /password|passwd|passphrase|token|secret|cookie|authorization|credential|key/;

/** Returns the kind of secret that a name suggests. The name itself isn't stored, since it could be any text. */
export const getSecretKind = (name: string): string => {
  const kind = KIND_WORD.exec(name.toLowerCase())?.[0] ?? "password";
  return kind === "passwd" ? "password" : kind;
};

export const isSecretName = (name: string): boolean => rateName(name) === "strong";

/** Values that aren't secrets: variables, templates, types, and fixed values such as `true`. */
const PLACEHOLDER_VALUE =
  /^(?:$|[$%<{[*]|@[\w-]|\.{3}|…|(?:true|false|null|nil|none|undefined|yes|no|on|off|string|str|number|int|integer|bool|boolean|any|unknown|object|bytes|text|char|varchar|buffer|required|optional|empty|redacted|secure|secretstr|prompt|env|stdin|ask|-)$|(?:process\.env|os\.environ|os\.getenv|env|getenv|import\.meta|config|settings|self|this|secrets|vars|var|local|data|input)[.([]|[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){0,6}[([]|x+$)/i;
/** A path, such as that of a file containing the secret. */
const PATH_VALUE = /^(?:~|\.{1,2})?\/[\w.@-]{1,80}(?:\/[\w.@-]{0,80}){1,20}$|^\.{1,2}\/|^[A-Za-z]:\\/;

/** Returns whether a value is a secret, given how strongly its name suggests one. */
export function isSecretValue(value: string, strength: NameStrength): boolean {
  if (strength === undefined || PLACEHOLDER_VALUE.test(value) || PATH_VALUE.test(value)) return false;
  if (strength === "weak") return looksRandom(value);
  // A value that is itself a secret's name is a placeholder, as in `token=token` and `password: accessToken`.
  return !(/^[A-Za-z_.-]{1,60}$/.test(value) && rateName(value) === "strong");
}

/**
 * A variable reference, such as `$NAME` or `${NAME}`. It counts even in single quotes, since these might enclose a
 * command line for another shell.
 */
const REFERENCE_VALUE =
  /^\$(?:[({]|_{0,2}[A-Za-z]{1,40}\d{0,2}(?:_(?:[A-Za-z]{1,40}\d{0,2}|\d{1,2})){0,8}(?![^/:.,;"'\s@)]))/;

/**
 * Prepares a single-quoted value for `isSecretValue` by removing a leading `$` that isn't part of a variable reference.
 */
export const readLiteral = (value: string): string =>
  value.startsWith("$") && !REFERENCE_VALUE.test(value) ? value.slice(1) : value;

const WORD_SEQUENCE = /^[a-z]{1,40}(?:[-_./:][a-z\d]{1,40}){1,10}$|^v?\d+(?:[.,:-]\d+){1,6}$/;

/** Returns whether a value looks random rather than like a word, name or number. */
export const looksRandom = (value: string): boolean =>
  value.length >= 8 &&
  !WORD_SEQUENCE.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/^[A-Za-z]{2,}\d{1,2}$/.test(value);
