import { closeSync, fstatSync, openSync, readSync } from "bridge-hooks/files";

/** Maximum size of a file to read. Certificate bundles stay well below it. */
const MAX_FILE_BYTES = 2_000_000;

/** What is at a path: text, nothing ("missing"), or something that can't be read ("unknown"). */
export type FileContent = { text: string } | "missing" | "unknown";

/** How much of a file with an ambiguous name to read, in bytes. */
const MAX_PREFIX_BYTES = 65_536;

/** Reads a whole file. A file that is too large is "unknown", because any part of it could contain a secret. */
export const readContent = (path: string): FileContent =>
  readFile(path, (size) => (size > MAX_FILE_BYTES ? undefined : size));

export const readFilePrefix = (path: string): FileContent => readFile(path, (size) => Math.min(size, MAX_PREFIX_BYTES));

/**
 * @param chooseLength receives the file's size and returns the number of bytes to read, or undefined to skip the file
 */
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
    // Without permission to search the directory, there is no way to know whether the file exists.
    return /^(?:ENOENT|ENOTDIR)$/.test((error as { code?: string }).code ?? "") ? "missing" : "unknown";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const PEM_LABEL = /-----BEGIN ([A-Z0-9. ]{1,60})-----/g;
const PUBLIC_LABEL =
  /^(?:(?:TRUSTED |X509 )?CERTIFICATE|(?:NEW )?CERTIFICATE REQUEST|X509 CRL|PKCS7|CMS|(?:[A-Z0-9]+ )?PUBLIC KEY(?: BLOCK)?|(?:DH|DSA|EC|X9\.42 DH) PARAMETERS)$/;

/** Whether PEM text contains only certificates, public keys, and parameters. */
export function isPublicPem(text: string): boolean {
  const labels = [...text.matchAll(PEM_LABEL)];
  return labels.length > 0 && labels.every(([, label = ""]) => PUBLIC_LABEL.test(label));
}

const PRIVATE_LABEL = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** A value that stands in for a secret: a variable, a template expression, or a filler word such as "example". */
const PLACEHOLDER_VALUE = /[$<>{}%*]|\.\.\.|^(?:your|my|the|some|example|redacted|changeme|true|false|none|null|x+)\b/i;
/** A line that assigns a secret to a key: `//host/:_authToken=x`, `npmAuthToken: x`, `password = x`. */
const SECRET_ASSIGNMENT_LINE =
  /(?:_auth|auth_?token|auth_?ident|password|passwd|secret|api_?key|token)["']?(?:\s{1,9}value)?\s{0,9}[:=]\s{0,9}["']?([^\s"'#;,]{4,500})/i;
/** A password in a URL, or one that follows a user name: `user = me:x`. */
const NAMED_PASSWORD =
  /:\/\/[^\s/:@]{1,100}:([^\s/:@]{3,200})@|^\s{0,9}(?:-u|(?:--)?(?:proxy-)?user)[\s=]{1,9}["']?[^\s:"']{1,100}:([^\s"']{3,200})/;

/** Whether a string contains an actual PEM private key and not just the label of one. */
function holdsPrivateKey(text: string): boolean {
  const [, after] = text.split(PRIVATE_LABEL, 2);
  const row = after?.split("\n", 12).find((line, at) => at > 0 && line.trim() !== "" && !line.includes(":"));
  return row !== undefined && /^[A-Za-z0-9+/=]{4,}$/.test(row.trim());
}

/** Whether a string contains a private key or a setting whose value is a literal token or password. */
export const holdsSecret = (text: string): boolean =>
  holdsPrivateKey(text) ||
  text.split("\n").some((row) => {
    if (/^\s*(?:[#;]|\/\/ )/.test(row)) return false;
    const [, value, other] = SECRET_ASSIGNMENT_LINE.exec(row) ?? NAMED_PASSWORD.exec(row) ?? [];
    const secret = value ?? other;
    return secret !== undefined && !PLACEHOLDER_VALUE.test(secret);
  });

/** A line of YAML or JSON that contains a key and its value. */
const KEY_VALUE_LINE = /^\s*(?:- )?["']?[\w.$-]+["']?:(?:\s([^]*))?$/;
/** Whether a value is a template expression rather than a flow mapping or sequence. */
const isTemplateExpression = (value: string) => value.includes("{{") && !/^\s*(?:\{(?!\{)|\[)/.test(value);
/**
 * Whether a value is effectively empty: nothing but quotes, a block scalar indicator, a bracket, a comment, or null.
 */
const isEmptyValue = (value: string) => /^(?:|["']{2},?|[|>][+-]?|#.*|[{}[\]],?|null,?)$/.test(value.trim());

/** Whether every value in these lines comes from a template. */
const areAllTemplates = (rows: readonly string[]): boolean =>
  rows.every((row) => {
    const value = KEY_VALUE_LINE.exec(row)?.[1] ?? (KEY_VALUE_LINE.test(row) ? "" : row);
    return isEmptyValue(value) || isTemplateExpression(value) || value.trim().startsWith("#");
  });

/** Lists the lines nested under `data:` and `stringData:`, including a value on the same line as the key. */
function listSecretLines(rows: readonly string[]): string[] {
  const dataLines: string[] = [];
  let depth = -1;
  for (const row of rows) {
    const indent = row.search(/\S/);
    if (indent < 0) continue;
    // Template directives may have any indentation.
    if (depth >= 0 && (indent > depth || row.startsWith("{{", indent))) dataLines.push(row);
    else {
      const [, beside] = /^\s*["']?(?:data|stringData)["']?:(.*)$/.exec(row) ?? [];
      depth = beside === undefined ? -1 : indent;
      if (beside !== undefined) dataLines.push(beside);
    }
  }
  return dataLines;
}

/** A JSON Schema describes values without containing any. */
const JSON_SCHEMA = /^["']?\$schema["']?:\s*["']?https?:\/\/json-schema\.org\//;

/** Whether YAML consists of Kubernetes objects or templates with no literal secret values. */
export function isHarmlessManifest(text: string): boolean {
  if (/PRIVATE KEY|private_key/.test(text)) return false;
  if (JSON_SCHEMA.test(text)) return true;
  return text.split(/^---/m).every((part) => {
    const rows = part.split("\n").filter((row) => row.trim() !== "");
    const kinds = rows.flatMap((row) => /^["']?kind["']?:\s*["']?(\w+)/.exec(row)?.[1] ?? []);
    if (kinds.length === 0) return areAllTemplates(rows);
    return kinds.every((kind) => kind !== "Secret" && !kind.endsWith("List") && kind !== "Config")
      ? true
      : kinds[0] === "Secret" && areAllTemplates(listSecretLines(rows));
  });
}
