import { SECRET_NAME } from "./printing-rules.ts";

/** Names that resemble secrets but hold metadata about a secret. */
const SECRET_METADATA =
  /_(?:PATH|FILE|DIR|ID|NAME|TYPE|LIMIT|LENGTH|COUNT|TTL|EXPIRY|EXPIRES|HEADER|URL|ENDPOINT|VERSION)$|_EXPIRES_\w|^GOOGLE_APPLICATION_CREDENTIALS$/;
export const isSecretName = (name: string) =>
  SECRET_NAME.test(name) &&
  (!SECRET_METADATA.test(name) || /^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP|BROKER)_UR[IL]$/.test(name));

/** An assignment of a variable's name to another variable, including options such as `-n`: `r=API_KEY`. */
const NAME_ASSIGNMENT = /(?:\b(?:declare|typeset|local)\s+-(\w+)\s+|(?<![\w$]))(\w+)=["']?(\w+)/g;
/** An indirect expansion, `${!r}`, as opposed to the prefix expansion `${!r*}`. */
const INDIRECTION = /(?<!\\)\$\{!(\w+)(?![\w*@[])/g;
/** Expressions that list the names of all variables or all environment variables. */
const ALL_NAMES =
  /\$\{!(?:GITHUB|GH|GITLAB|AWS|AZURE|NPM|OPENAI|ANTHROPIC|SLACK|STRIPE|GOOGLE|DATABASE|DB|REDIS|API|TOKEN|SECRET|DOCKER|CLOUDFLARE|HEROKU|VERCEL|SENTRY|[A-Z])_?[@*]\}|\bcompgen\s+-[ve]\b|\bcompgen\s+-A\s+(?:variable|export)\b/;
const PLAIN_VARIABLE = /(?<!\\)\$(?:\{(\w+)(?!\w|:?\+)|(\w+))/g;

const listNames = (text: string) => [...text.matchAll(PLAIN_VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? "");

/** Variables in a shell command that refer to secret variables, each with the secret variable's name. */
export interface NamedVariables {
  /** References such as `r=API_KEY`, which `${!r}` expands. */
  indirections: ReadonlyMap<string, string>;
  /** References such as `declare -n r=API_KEY`, which `$r` expands. */
  references: ReadonlyMap<string, string>;
  /** Secrets that are used through a reference. The parser has already replaced these references with known values. */
  usedSecrets: ReadonlySet<string>;
  /** Whether the command iterates over the names of all variables. */
  coversAllNames: boolean;
}

export function readNamedVariables(line: string): NamedVariables {
  const indirections = new Map<string, string>();
  const references = new Map<string, string>();
  for (const [, options, name = "", secretName = ""] of line.matchAll(NAME_ASSIGNMENT))
    if (isSecretName(secretName)) (options?.includes("n") ? references : indirections).set(name, secretName);
  const usedSecrets = new Set(
    references.size === 0 ? [] : listNames(line).flatMap((name) => references.get(name) ?? []),
  );
  return { indirections, references, usedSecrets, coversAllNames: ALL_NAMES.test(line) };
}

/** Returns the first secret variable that a word refers to indirectly. */
export function findNamedVariable(
  word: string,
  { indirections, references, usedSecrets, coversAllNames: isForAll }: NamedVariables,
): string | undefined {
  for (const [, name = ""] of word.matchAll(INDIRECTION)) {
    const secretName = indirections.get(name) ?? (isForAll ? `{!${name}}` : undefined);
    if (secretName !== undefined) return secretName;
  }
  if (references.size === 0) return undefined;
  const name = listNames(word).find((candidate) => references.has(candidate));
  return name === undefined
    ? word.match(/\w+/g)?.find((candidate) => usedSecrets.has(candidate))
    : references.get(name);
}
