import type { Token } from "./code-tokens.ts";
import { getHigherLevel, Level, type WalkState } from "./code-model.ts";

function bindName({ names }: WalkState, token: Token | undefined, level: Level): void {
  if (token?.kind !== "word" || level === Level.nothing) return;
  const name = token.text.replace(/^\$/, "");
  names.set(name, getHigherLevel(names.get(name) ?? Level.nothing, level));
}

const isSign = (token: Token | undefined, ...texts: string[]) => token?.kind === "sign" && texts.includes(token.text);

/**
 * Binds loop variables. `at` is the index of "in" or its equivalent: `for k, v in ENV`, `for (const [k, v] of
 * Object.entries(process.env))`, `($k, $v) = each %ENV`.
 */
export function bindLoop(walk: WalkState, at: number, level: Level): void {
  const { tokens } = walk;
  if (level < Level.environment) return;
  let lastIndex = at - 1;
  while (tokens[lastIndex]?.kind === "close") lastIndex--;
  const hasName = isSign(tokens[lastIndex - 1], ",");
  // In `[k]`, the loop variable is the name of the environment variable.
  const isName = tokens[lastIndex - 1]?.kind === "open" && tokens[lastIndex - 1]?.text === "[";
  if (hasName || (level === Level.values && !isName)) bindName(walk, tokens[lastIndex], Level.secret);
}

/**
 * Binds callback parameters. `at` is the index of the method's name: `ENV.each { |k, v| … }`,
 * `Object.entries(process.env).map(([k, v]) => …)`.
 */
export function bindParameter(walk: WalkState, at: number, level: Level): void {
  const { tokens } = walk;
  const isBefore = (token: Token | undefined) =>
    token?.kind === "open" || isSign(token, "|") || /^(?:do|function|async)$/.test(token?.text ?? "");
  let firstIndex = at + 1;
  while (isBefore(tokens[firstIndex]) && firstIndex < at + 8) firstIndex++;
  if (isSign(tokens[firstIndex + 1], ",")) bindName(walk, tokens[firstIndex + 2], Level.secret);
  else if (
    level === Level.values &&
    (isSign(tokens[firstIndex + 1], "=>", "|") || isSign(tokens[firstIndex + 2], "=>"))
  )
    bindName(walk, tokens[firstIndex], Level.secret);
}

/**
 * Binds the name after "as". `at` is the index of that name: `import environ as e`, `foreach (getenv() as $k => $v)`.
 */
export function bindAlias(walk: WalkState, at: number, level: Level): void {
  const { tokens, program } = walk;
  if (isSign(tokens[at + 1], "=>")) bindName(walk, tokens[at + 2], Level.secret);
  else bindName(walk, tokens[at], program.startsWith("php") ? Level.secret : level);
}

const MAX_PARTS = 200;

/**
 * Binds variables on assignment. `at` is the index of "=": `k = …`, `a, b = …`, `const k: string = …`,
 * `const { API_KEY: k } = …`.
 */
export function bindTarget(walk: WalkState, at: number, level: Level): void {
  const { tokens } = walk;
  if (tokens[at - 1]?.text === "}") return level === Level.environment ? bindParts(walk, at - 1) : undefined;
  const lastIndex = isSign(tokens[at - 2], ":") ? at - 3 : at - 1;
  if (isSign(tokens[lastIndex - 1], ".")) return;
  for (let index = lastIndex; index > lastIndex - MAX_PARTS; index -= 2) {
    bindName(walk, tokens[index], level);
    if (!isSign(tokens[index - 1], ",")) return;
  }
}

function bindParts(walk: WalkState, end: number): void {
  const { tokens, isSecret } = walk;
  for (let at = end - 1; at > end - MAX_PARTS && tokens[at]?.kind !== "open"; at--) {
    const token = tokens[at];
    if (token?.kind !== "word" || isSign(tokens[at - 1], ":")) continue;
    if (isSign(tokens[at - 1], "...")) bindName(walk, token, Level.environment);
    if (!isSecret(token.text)) continue;
    walk.secretName ??= token.text;
    bindName(walk, isSign(tokens[at + 1], ":") ? tokens[at + 2] : token, Level.secret);
  }
}
