import { closeSync, fstatSync, openSync, readSync } from "bridge-hooks/files";

/** The most that is read of a file to tell what it holds, in bytes: more than any bundle of certificates. */
const MAX_FILE_BYTES = 2_000_000;

/** What is at a path: its text, that nothing is there, or that it can't be told. */
export type FileContent = { text: string } | "missing" | "unknown";

/** Of a file whose name doesn't tell what it holds, the beginning is looked at, in bytes. */
const MAX_BEGINNING_BYTES = 65_536;

/** Reads a file whole, or not at all: the end of a long one might tell something else. */
export const readContent = (path: string): FileContent =>
  readFile(path, (size) => (size > MAX_FILE_BYTES ? undefined : size));

/** Reads the beginning of a file. */
export const readBeginning = (path: string): FileContent =>
  readFile(path, (size) => Math.min(size, MAX_BEGINNING_BYTES));

/** @param chooseLength how many bytes to read of a file of some size; undefined: not at all. */
function readFile(path: string, chooseLength: (size: number) => number | undefined): FileContent {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const status = fstatSync(file);
    const length = status.isFile() ? chooseLength(status.size) : undefined;
    if (length === undefined) return "unknown";
    const bytes = Buffer.alloc(length);
    return { text: bytes.toString("utf8", 0, readSync(file, bytes)) };
  } catch (error) {
    // A folder that may not be entered hides what is in it.
    return /^(?:ENOENT|ENOTDIR)$/.test((error as { code?: string }).code ?? "") ? "missing" : "unknown";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const PEM_LABEL = /-----BEGIN ([A-Z0-9. ]{1,60})-----/g;
const PUBLIC_LABEL =
  /^(?:(?:TRUSTED |X509 )?CERTIFICATE|(?:NEW )?CERTIFICATE REQUEST|X509 CRL|PKCS7|CMS|(?:[A-Z0-9]+ )?PUBLIC KEY(?: BLOCK)?|(?:DH|DSA|EC|X9\.42 DH) PARAMETERS)$/;

/** Whether a text in PEM holds certificates, public keys and parameters, and nothing else. */
export function isPublicPem(text: string): boolean {
  const labels = [...text.matchAll(PEM_LABEL)];
  return labels.length > 0 && labels.every(([, label = ""]) => PUBLIC_LABEL.test(label));
}

const PRIVATE_LABEL = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** What stands in place of a secret: a variable, a template, words. */
const PLACEHOLDER_VALUE = /[$<>{}%*]|\.\.\.|^(?:your|my|the|some|example|redacted|changeme|true|false|none|null|x+)\b/i;
/** A row that gives a secret to a key: `//host/:_authToken=x`, `npmAuthToken: x`, `password = x`. */
const SECRET_ENTRY =
  /(?:_auth|auth_?token|auth_?ident|password|passwd|secret|api_?key|token)["']?(?:\s{1,9}value)?\s{0,9}[:=]\s{0,9}["']?([^\s"'#;,]{4,500})/i;
/** The password of a URL, and of a user: `user = me:x`. */
const NAMED_PASSWORD =
  /:\/\/[^\s/:@]{1,100}:([^\s/:@]{3,200})@|^\s{0,9}(?:-u|(?:--)?(?:proxy-)?user)[\s=]{1,9}["']?[^\s:"']{1,100}:([^\s"']{3,200})/;

/** Whether a text holds a private key in PEM, not a label alone: a row of it follows. */
function holdsPrivateKey(text: string): boolean {
  const [, after] = text.split(PRIVATE_LABEL, 2);
  const row = after?.split("\n", 12).find((one, at) => at > 0 && one.trim() !== "" && !one.includes(":"));
  return row !== undefined && /^[A-Za-z0-9+/=]{4,}$/.test(row.trim());
}

/** Whether a text holds a private key, or settings with a token or a password that are not filled in later. */
export const holdsSecret = (text: string): boolean =>
  holdsPrivateKey(text) ||
  text.split("\n").some((row) => {
    if (/^\s*(?:[#;]|\/\/ )/.test(row)) return false;
    const [, value, other] = SECRET_ENTRY.exec(row) ?? NAMED_PASSWORD.exec(row) ?? [];
    const secret = value ?? other;
    return secret !== undefined && !PLACEHOLDER_VALUE.test(secret);
  });

/** What a line of YAML or JSON gives to a key. */
const ENTRY = /^\s*(?:- )?["']?[\w.$-]+["']?:(?:\s([^]*))?$/;
/** What is filled in, but not one of several values in a row. */
const isTemplate = (value: string) => value.includes("{{") && !/^\s*(?:\{(?!\{)|\[)/.test(value);
/** What no value is: quotes, an anchor, a block's sign, a comment. */
const isEmpty = (value: string) => /^(?:|["']{2},?|[|>][+-]?|#.*|[{}[\]],?|null,?)$/.test(value.trim());

/** Whether every value in rows is one that a template fills in. */
const areFilledIn = (rows: readonly string[]): boolean =>
  rows.every((row) => {
    const value = ENTRY.exec(row)?.[1] ?? (ENTRY.test(row) ? "" : row);
    return isEmpty(value) || isTemplate(value) || value.trim().startsWith("#");
  });

/** The rows below `data:` and `stringData:`, and what stands beside these words. */
function listSecretRows(rows: readonly string[]): string[] {
  const found: string[] = [];
  let depth = -1;
  for (const row of rows) {
    const indent = row.search(/\S/);
    if (indent < 0) continue;
    // A row of the template's own language may stand anywhere.
    if (depth >= 0 && (indent > depth || row.startsWith("{{", indent))) found.push(row);
    else {
      const [, beside] = /^\s*["']?(?:data|stringData)["']?:(.*)$/.exec(row) ?? [];
      depth = beside === undefined ? -1 : indent;
      if (beside !== undefined) found.push(beside);
    }
  }
  return found;
}

/** A description of what such a file may hold. */
const JSON_SCHEMA = /^["']?\$schema["']?:\s*["']?https?:\/\/json-schema\.org\//;

/** Whether a text in YAML holds Kubernetes objects, or templates of them, without the value of a secret. */
export function isHarmlessManifest(text: string): boolean {
  if (/PRIVATE KEY|private_key/.test(text)) return false;
  if (JSON_SCHEMA.test(text)) return true;
  return text.split(/^---/m).every((part) => {
    const rows = part.split("\n").filter((row) => row.trim() !== "");
    const kinds = rows.flatMap((row) => /^["']?kind["']?:\s*["']?(\w+)/.exec(row)?.[1] ?? []);
    if (kinds.length === 0) return areFilledIn(rows);
    return kinds.every((kind) => kind !== "Secret" && !kind.endsWith("List") && kind !== "Config")
      ? true
      : kinds[0] === "Secret" && areFilledIn(listSecretRows(rows));
  });
}
