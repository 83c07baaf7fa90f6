import { SECRET_NAME } from "./printing-rules.ts";

/** Of these, the ones that say something about it. */
const SECRET_METADATA =
  /_(?:PATH|FILE|DIR|ID|NAME|TYPE|LIMIT|LENGTH|COUNT|TTL|EXPIRY|EXPIRES|HEADER|URL|ENDPOINT|VERSION)$|_EXPIRES_\w|^GOOGLE_APPLICATION_CREDENTIALS$/;
export const isSecretName = (name: string) =>
  SECRET_NAME.test(name) &&
  (!SECRET_METADATA.test(name) || /^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP|BROKER)_UR[IL]$/.test(name));

/** A variable that holds the name of another: `r=API_KEY`; and the options before it. */
const NAME_ASSIGNMENT = /(?:\b(?:declare|typeset|local)\s+-(\w+)\s+|(?<![\w$]))(\w+)=["']?(\w+)/g;
/** What stands for the variable that another names, `${!r}`; not the names that begin so, `${!r*}`. */
const INDIRECTION = /(?<!\\)\$\{!(\w+)(?![\w*@[])/g;
/** What gives the names of all variables, or of those of the environment. */
const ALL_NAMES =
  /\$\{!(?:GITHUB|GH|GITLAB|AWS|AZURE|NPM|OPENAI|ANTHROPIC|SLACK|STRIPE|GOOGLE|DATABASE|DB|REDIS|API|TOKEN|SECRET|DOCKER|CLOUDFLARE|HEROKU|VERCEL|SENTRY|[A-Z])_?[@*]\}|\bcompgen\s+-[ve]\b|\bcompgen\s+-A\s+(?:variable|export)\b/;
const PLAIN_VARIABLE = /(?<!\\)\$(?:\{(\w+)(?!\w|:?\+)|(\w+))/g;

const listNames = (text: string) => [...text.matchAll(PLAIN_VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? "");

/** The variables of a line that stand for ones with secrets, each with the name that it holds. */
export interface NamedVariables {
  /** `r=API_KEY`, for `${!r}`. */
  pointers: ReadonlyMap<string, string>;
  /** `declare -n r=API_KEY`, for `$r`. */
  references: ReadonlyMap<string, string>;
  /** The secrets of references that the line uses: a value that is known has taken the place of the variable. */
  used: ReadonlySet<string>;
  /** The line goes through the names of all variables. */
  isForAll: boolean;
}

export function readNamedVariables(line: string): NamedVariables {
  const pointers = new Map<string, string>();
  const references = new Map<string, string>();
  for (const [, options, name = "", named = ""] of line.matchAll(NAME_ASSIGNMENT))
    if (isSecretName(named)) (options?.includes("n") ? references : pointers).set(name, named);
  const used = new Set(references.size === 0 ? [] : listNames(line).flatMap((name) => references.get(name) ?? []));
  return { pointers, references, used, isForAll: ALL_NAMES.test(line) };
}

/** The first variable with a secret that a word means by another variable. */
export function findNamedVariable(
  word: string,
  { pointers, references, used, isForAll }: NamedVariables,
): string | undefined {
  for (const [, name = ""] of word.matchAll(INDIRECTION)) {
    const named = pointers.get(name) ?? (isForAll ? `{!${name}}` : undefined);
    if (named !== undefined) return named;
  }
  if (references.size === 0) return undefined;
  const name = listNames(word).find((one) => references.has(one));
  return name === undefined ? word.match(/\w+/g)?.find((one) => used.has(one)) : references.get(name);
}
