import { SECRET_NAME } from "./printing-rules.ts";

/** Names that look like a secret's but hold facts about one, such as its path or expiry date. */
const SECRET_METADATA =
  /_(?:PATH|FILE|DIR|ID|NAME|TYPE|LIMIT|LENGTH|COUNT|TTL|EXPIRY|EXPIRES|HEADER|URL|ENDPOINT|VERSION)$|_EXPIRES_\w|^GOOGLE_APPLICATION_CREDENTIALS$/;
export const isSecretName = (name: string) =>
  SECRET_NAME.test(name) &&
  (!SECRET_METADATA.test(name) || /^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP|BROKER)_UR[IL]$/.test(name));

/** An assignment whose value is the name of a variable, with the options of a preceding `declare`: `r=API_KEY`. */
const NAME_ASSIGNMENT = /(?:\b(?:declare|typeset|local)\s+-(\w+)\s+|(?<![\w$]))(\w+)=["']?(\w+)/g;
/** An indirect expansion such as `${!r}`, but not a prefix expansion such as `${!r*}`. */
const INDIRECT_EXPANSION = /(?<!\\)\$\{!(\w+)(?![\w*@[])/g;
/** Expressions that list the names of all variables, or of all those in the environment. */
const ALL_NAMES =
  /\$\{!(?:GITHUB|GH|GITLAB|AWS|AZURE|NPM|OPENAI|ANTHROPIC|SLACK|STRIPE|GOOGLE|DATABASE|DB|REDIS|API|TOKEN|SECRET|DOCKER|CLOUDFLARE|HEROKU|VERCEL|SENTRY|[A-Z])_?[@*]\}|\bcompgen\s+-[ve]\b|\bcompgen\s+-A\s+(?:variable|export)\b/;
const PLAIN_VARIABLE = /(?<!\\)\$(?:\{(\w+)(?!\w|:?\+)|(\w+))/g;

const listNames = (text: string) => [...text.matchAll(PLAIN_VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? "");

/** Variables whose value is the name of a secret variable. Each map entry holds that name. */
export interface NamedVariables {
  /** References that `${!r}` expands, such as `r=API_KEY`. */
  indirections: ReadonlyMap<string, string>;
  /** References that `$r` expands, such as `declare -n r=API_KEY`. */
  references: ReadonlyMap<string, string>;
  /**
   * Names of secrets used through such a reference. Where the parser has replaced the reference with its value, a word
   * contains this name instead.
   */
  usedSecrets: ReadonlySet<string>;
  /** Whether the shell command iterates over the names of all variables. */
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
  for (const [, name = ""] of word.matchAll(INDIRECT_EXPANSION)) {
    const secretName = indirections.get(name) ?? (isForAll ? `{!${name}}` : undefined);
    if (secretName !== undefined) return secretName;
  }
  if (references.size === 0) return undefined;
  const name = listNames(word).find((candidate) => references.has(candidate));
  return name === undefined
    ? word.match(/\w+/g)?.find((candidate) => usedSecrets.has(candidate))
    : references.get(name);
}
