import { readFileSync } from "node:fs";
import ts from "typescript";

/** A title in a test file. The variable parts of a template appear as `…`. */
export interface Title {
  title: string;
  /** The titles inside a `describe`; empty for a test. */
  inner: Title[];
}

/** Returns the name of the function a call chain starts with: `test` in `test.skipIf(x).each(y)("title", …)`. */
function findFirstName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return findFirstName(expression.expression);
  return "";
}

function formatTitle(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return "…";
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
}

/** Whether a call returns a function that then takes the title, as `test.each(…)` does. */
const isChained = (expression: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(expression) && /^(each|if|skipIf|todoIf)$/.test(expression.name.text);

/** Reads the titles of the tests in a file from its source, without running them. */
export function readTitles(file: string): Title[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node, target: Title[]): void => {
    let inner = target;
    if (ts.isCallExpression(node) && /^(test|describe)$/.test(findFirstName(node.expression))) {
      const [title, body] = node.arguments;
      // What's passed to `each` and `skipIf` isn't a title.
      if (title && body && !isChained(node.expression)) {
        inner = [];
        target.push({ title: formatTitle(title), inner });
      }
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  const titles: Title[] = [];
  visit(source, titles);
  return titles;
}

/** Returns all titles in a file as a flat list. */
export const listTitles = (titles: readonly Title[]): string[] =>
  titles.flatMap(({ title, inner }) => [title, ...listTitles(inner)]);

/** Formats a file's titles as a specification: a heading, then one line per title, indented by group. */
export function formatTitles(name: string, file: string): string {
  const lines = (titles: readonly Title[], indent: string): string[] =>
    titles.flatMap(({ title, inner }) => [`${indent}${title}`, ...lines(inner, `${indent}  `)]);
  return [name, ...lines(readTitles(file), "  "), ""].join("\n");
}

/**
 * Lists the strings at the start of each row in a file's tables: "a" and "a b" in `["a", "b", 1]`, and the quoted keys
 * of object tables. Tests generated from a table are named after them.
 */
export function listRowNames(file: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) {
      const other = node.elements.findIndex((one) => !ts.isStringLiteralLike(one) && !ts.isTemplateExpression(one));
      const words = node.elements.slice(0, other < 0 ? undefined : other).map(formatTitle);
      names.push(...words.map((_, at) => words.slice(0, at + 1).join(" ")));
    }
    if (ts.isObjectLiteralElementLike(node) && node.name && ts.isStringLiteral(node.name)) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return names;
}
