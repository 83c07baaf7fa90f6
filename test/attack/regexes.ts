import { measureRawCpuTime } from "../support/machine.ts";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";
import { RULE_SOURCES } from "../../src/call/screen/rule-source.build.ts";

const ROOT = join(import.meta.dir, "../..");
/**
 * Digests of expressions found to be harmless. They're stored because checking an expression takes up to ten seconds.
 */
const CHECKED_FILE = join(import.meta.dir, "regexes-checked.txt");

/** A regular expression in the product, and where it is. */
export interface Expression {
  source: string;
  flags: string;
  place: string;
}

/**
 * Files that never process text from an agent: their input comes from users, or they're loaded only by `doctor`,
 * `install` and hook tests.
 */
const COLD_FILE =
  /^src\/(?:cli|operate|policy\/check|author\/testing)\/|^src\/hosts\/\w+\/(?:doctor|install|native-payloads|pack|trust)\.ts$/;

const FOLDERS = ["src", "hooks"];
const listSourceFiles = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll(sep, "/")}`)
    .filter((file) => /\.[tj]s$/.test(file) && !COLD_FILE.test(file));

/**
 * Returns a template's text with a placeholder for each substitution. Functions use templates to insert a word from a
 * command or a rule.
 */
function readTemplate(node: ts.Expression): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(node) || ts.isStringLiteral(node)) return node.text;
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `name${literal.text}`).join("")
    : undefined;
}

/**
 * Collects the regular expression literals in a file and the expressions its functions compose. Adds those that can't
 * be determined from the source to `opaque`.
 */
function collectLiterals(file: string, opaque: string[]): Expression[] {
  const found: Expression[] = [];
  const tree = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, inFunction: boolean): void => {
    const place = () => `${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const [, source = "", flags = ""] = /^\/([^]*)\/(\w*)$/.exec((node as ts.LiteralExpression).text) ?? [];
      found.push({ source, flags, place: place() });
    } else if (inFunction && ts.isNewExpression(node) && node.expression.getText() === "RegExp") {
      const [pattern, flags] = node.arguments ?? [];
      const source = pattern && readTemplate(pattern);
      if (source === undefined) opaque.push(`${file}: ${pattern?.getText()}`);
      else found.push({ source, flags: flags ? (readTemplate(flags) ?? "") : "", place: place() });
    }
    node.forEachChild((child) => visit(child, inFunction || ts.isFunctionLike(node)));
  };
  visit(tree, false);
  return found;
}

/** Collects the expressions that modules compose as they load. */
async function collectComposed(): Promise<Expression[]> {
  const found: Expression[] = [];
  const Real = globalThis.RegExp;
  const construct = (target: typeof RegExp, args: [string, string?]) => {
    const made = Reflect.construct(target, args) as RegExp;
    const [place] =
      /(?:src|hooks)\/[\w/.-]+\.ts:\d+/.exec(
        (new Error().stack ?? "").replaceAll("\\", "/").replace(/.*regexes\.ts.*/g, ""),
      ) ?? [];
    if (place !== undefined) found.push({ source: made.source, flags: made.flags, place });
    return made;
  };
  globalThis.RegExp = new Proxy(Real, { construct: construct as never });
  for (const file of FOLDERS.flatMap(listSourceFiles))
    if (file.endsWith(".ts") && !file.endsWith("/main.ts")) await import(join(ROOT, file));
  globalThis.RegExp = Real;
  return found;
}

/**
 * Lists the expressions of the secret prefilter: those that find markers, and those that match the text after a marker.
 */
function listSecretMarks(): Expression[] {
  const place = "src/secrets/marks.txt";
  const lines = readFileSync(join(ROOT, place), "utf8").split("\n").slice(2, -1);
  return lines.map((line) => {
    const [, , beginning] = line.split("\t");
    return beginning === undefined ? { source: line, flags: "g", place } : { source: beginning, flags: "y", place };
  });
}

/** Collects every regular expression in the product, without duplicates. */
export async function collectExpressions(): Promise<{ expressions: Expression[]; opaque: string[] }> {
  const opaque: string[] = [];
  const all = [
    ...FOLDERS.flatMap(listSourceFiles).flatMap((file) => collectLiterals(file, opaque)),
    ...(await collectComposed()),
    ...listSecretMarks(),
    ...RULE_SOURCES.map((source) => ({ source, flags: "gy", place: "rule-source.build.ts" })),
  ];
  return { expressions: [...new Map(all.map((one) => [hashExpression(one), one])).values()], opaque };
}

export const hashExpression = ({ source, flags }: Expression): string =>
  new Bun.CryptoHasher("sha256").update(`/${source}/${flags}`).digest("hex").slice(0, 12);

export const readCheckedHashes = (): ReadonlySet<string> =>
  new Set(readFileSync(CHECKED_FILE, "utf8").split("\n").filter(Boolean));

/**
 * Maximum length of an attack string, and the time limit for matching it, in milliseconds. Quadratic matching would
 * take seconds.
 */
const LONGEST = 60_000;
const QUICK_MS = 100;

/** Measures the CPU milliseconds the engine takes to try an expression at every position in a string. */
function measureTime({ source, flags }: Expression, text: string): Promise<number> {
  const expression = new RegExp(source, flags.replace(/[gy]/g, "") + (flags.includes("y") ? "y" : "g"));
  return measureRawCpuTime(() => text.replace(expression, ""));
}

/** Splits a source at each top-level `|`. If the whole expression is slow, at least one of its alternatives is. */
function splitAlternatives(source: string): string[] {
  const found: string[] = [""];
  let depth = 0;
  for (const [piece] of source.matchAll(/\\[^]|\[(?:[^\]\\]|\\[^])*\]|[^]/g)) {
    if (piece === "(") depth++;
    else if (piece === ")") depth--;
    if (piece === "|" && depth === 0) found.push("");
    else found[found.length - 1] += piece;
  }
  return found;
}

/** Describes an input that makes an expression slow; undefined if none is found. */
export async function findBacktracking(expression: Expression): Promise<string | undefined> {
  const slow: string[] = [];
  for (const source of splitAlternatives(expression.source)) {
    const part = { ...expression, source };
    if ((await findBacktrackingIn(part, part)) !== undefined) slow.push(source);
  }
  // Another alternative might consume the attack's characters first, so a slow alternative counts only if the whole
  // expression is slow.
  for (const source of slow.length > 0 ? [...slow, expression.source] : []) {
    const flaw = await findBacktrackingIn({ ...expression, source }, expression);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/**
 * Describes an input that makes one alternative slow. An attack counts only if this engine takes long to match `whole`
 * against it.
 */
async function findBacktrackingIn(expression: Expression, whole: Expression): Promise<string | undefined> {
  process.env.RECHECK_BACKEND = "pure";
  const { checkSync } = await import("recheck");
  const { source, flags } = expression;
  const check = (checker: "auto" | "fuzz") => checkSync(source, flags.replace("v", "u"), { timeout: 30_000, checker });
  let result = check("auto");
  // The automatons of some expressions are too large to check.
  if (result.status === "unknown") result = check("fuzz");
  if (result.status === "safe") return undefined;
  if (result.status === "unknown") return `nobody can tell (${result.error.kind})`;
  const { pumps, suffix } = result.attack;
  // Increase the size gradually, because an exponential expression would never finish.
  for (let turns = 8; ; turns = turns < 60 ? turns + 2 : turns * 2) {
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(turns)).join("") + suffix;
    const ms = await measureTime(whole, text);
    if (ms > QUICK_MS && (await measureTime(whole, text)) > QUICK_MS)
      return `${ms.toFixed(0)} ms for ${text.length} characters of ${result.attack.pattern}: ${result.complexity.summary}`;
    if (text.length > LONGEST) return undefined;
  }
}

/** Checks new expressions and records the harmless ones. */
async function updateChecked(): Promise<void> {
  const { expressions } = await collectExpressions();
  const known = readCheckedHashes();
  const fine: string[] = [];
  for (const one of expressions) {
    const flaw = known.has(hashExpression(one)) ? undefined : await findBacktracking(one);
    if (flaw === undefined) fine.push(hashExpression(one));
    else console.log(`${one.place} /${one.source}/${one.flags}\n  ${flaw}`);
  }
  writeFileSync(
    CHECKED_FILE,
    fine
      .sort()
      .map((line) => `${line}\n`)
      .join(""),
  );
}

if (import.meta.main) {
  if (process.argv[2] === "update") await updateChecked();
  else console.log(JSON.stringify(await collectExpressions()));
}
