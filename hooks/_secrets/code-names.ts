import type { Token } from "./code-tokens.ts";
import { getHigherSecrecyLevel, SecrecyLevel, type WalkState } from "./code-model.ts";

function bindName({ names }: WalkState, token: Token | undefined, level: SecrecyLevel): void {
  if (token?.kind !== "word" || level === SecrecyLevel.nothing) return;
  const name = token.text.replace(/^\$/, "");
  names.set(name, getHigherSecrecyLevel(names.get(name) ?? SecrecyLevel.nothing, level));
}

const isOperatorToken = (token: Token | undefined, ...texts: string[]) =>
  token?.kind === "sign" && texts.includes(token.text);

/**
 * Binds loop variables. `at` is the index of "in" or its equivalent: `for k, v in ENV`, `for (const [k, v] of
 * Object.entries(process.env))`, `($k, $v) = each %ENV`.
 */
export function bindLoop(walk: WalkState, at: number, level: SecrecyLevel): void {
  const { tokens } = walk;
  if (level < SecrecyLevel.environment) return;
  let lastIndex = at - 1;
  while (tokens[lastIndex]?.kind === "close") lastIndex--;
  const hasName = isOperatorToken(tokens[lastIndex - 1], ",");
  // In `[k]`, the loop variable is the name of the environment variable.
  const isName = tokens[lastIndex - 1]?.kind === "open" && tokens[lastIndex - 1]?.text === "[";
  if (hasName || (level === SecrecyLevel.values && !isName)) bindName(walk, tokens[lastIndex], SecrecyLevel.secret);
}

/**
 * Binds callback parameters. `at` is the index of the method's name: `ENV.each { |k, v| … }`,
 * `Object.entries(process.env).map(([k, v]) => …)`.
 */
export function bindParameter(walk: WalkState, at: number, level: SecrecyLevel): void {
  const { tokens } = walk;
  const isBefore = (token: Token | undefined) =>
    token?.kind === "open" || isOperatorToken(token, "|") || /^(?:do|function|async)$/.test(token?.text ?? "");
  let firstIndex = at + 1;
  while (isBefore(tokens[firstIndex]) && firstIndex < at + 8) firstIndex++;
  if (isOperatorToken(tokens[firstIndex + 1], ",")) bindName(walk, tokens[firstIndex + 2], SecrecyLevel.secret);
  else if (
    level === SecrecyLevel.values &&
    (isOperatorToken(tokens[firstIndex + 1], "=>", "|") || isOperatorToken(tokens[firstIndex + 2], "=>"))
  )
    bindName(walk, tokens[firstIndex], SecrecyLevel.secret);
}

/**
 * Binds the name after "as". `at` is the index of that name: `import environ as e`, `foreach (getenv() as $k => $v)`.
 */
export function bindAlias(walk: WalkState, at: number, level: SecrecyLevel): void {
  const { tokens, program } = walk;
  if (isOperatorToken(tokens[at + 1], "=>")) bindName(walk, tokens[at + 2], SecrecyLevel.secret);
  else bindName(walk, tokens[at], program.startsWith("php") ? SecrecyLevel.secret : level);
}

const MAX_PARTS = 200;

/**
 * Binds variables on assignment. `at` is the index of "=": `k = …`, `a, b = …`, `const k: string = …`,
 * `const { API_KEY: k } = …`.
 */
export function bindTarget(walk: WalkState, at: number, level: SecrecyLevel): void {
  const { tokens } = walk;
  if (tokens[at - 1]?.text === "}") return level === SecrecyLevel.environment ? bindParts(walk, at - 1) : undefined;
  const lastIndex = isOperatorToken(tokens[at - 2], ":") ? at - 3 : at - 1;
  if (isOperatorToken(tokens[lastIndex - 1], ".")) return;
  for (let index = lastIndex; index > lastIndex - MAX_PARTS; index -= 2) {
    bindName(walk, tokens[index], level);
    if (!isOperatorToken(tokens[index - 1], ",")) return;
  }
}

function bindParts(walk: WalkState, end: number): void {
  const { tokens, isSecret } = walk;
  for (let at = end - 1; at > end - MAX_PARTS && tokens[at]?.kind !== "open"; at--) {
    const token = tokens[at];
    if (token?.kind !== "word" || isOperatorToken(tokens[at - 1], ":")) continue;
    if (isOperatorToken(tokens[at - 1], "...")) bindName(walk, token, SecrecyLevel.environment);
    if (!isSecret(token.text)) continue;
    walk.secretName ??= token.text;
    bindName(walk, isOperatorToken(tokens[at + 1], ":") ? tokens[at + 2] : token, SecrecyLevel.secret);
  }
}
