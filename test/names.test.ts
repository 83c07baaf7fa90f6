import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./support/fixtures.ts";

/** Directories to check against `docs/contributing/naming.md`. */
const DIRECTORIES = [
  "src/author",
  "src/cli",
  "src/operate",
  "src/policy",
  "src/protocol",
  "src/secrets",
  "src/shell",
  "src/system",
  "hooks",
  "release",
  "tools",
];

const files = DIRECTORIES.flatMap((directory) =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${directory}/${file}`),
).sort();

const sources = files.map((file) =>
  ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true),
);

const FORBIDDEN = new Set(
  "said told ours theirs goes heard begun alone apart started lend paper harm place".split(" "),
);
const SHORT_NAMES = new Set(["i", "j", "a", "b", "x", "y", "n", "_"]);

function formatPosition(source: ts.SourceFile, node: ts.Node): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}

/** Calls `visit` on every node in a file. */
function visitNodes(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitNodes(child, visit));
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassDeclaration(node)
  );
}

test("no declaration has a name that naming.md forbids", () => {
  const refused: string[] = [];
  for (const source of sources)
    visitNodes(source, (node) => {
      if (!isDeclaration(node) || !node.name || !ts.isIdentifier(node.name)) return;
      const name = node.name.text;
      if (FORBIDDEN.has(name) || (name.length === 1 && !SHORT_NAMES.has(name)))
        refused.push(`${formatPosition(source, node)} ${name}`);
    });
  expect(refused).toEqual([]);
});
function isBoolean(parameter: ts.ParameterDeclaration): boolean {
  const { type, initializer } = parameter;
  if (initializer?.kind === ts.SyntaxKind.TrueKeyword || initializer?.kind === ts.SyntaxKind.FalseKeyword) return true;
  const members = type && ts.isUnionTypeNode(type) ? type.types : type ? [type] : [];
  return members.some(({ kind }) => kind === ts.SyntaxKind.BooleanKeyword);
}

function isExported(node: ts.FunctionDeclaration | ts.VariableStatement): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

test("no exported function takes a boolean parameter", () => {
  const refused: string[] = [];
  const check = (source: ts.SourceFile, name: string, { parameters }: ts.SignatureDeclaration) => {
    for (const parameter of parameters)
      if (isBoolean(parameter)) refused.push(`${formatPosition(source, parameter)} ${name}(${parameter.getText()})`);
  };
  for (const source of sources)
    for (const statement of source.statements) {
      if (ts.isFunctionDeclaration(statement) && isExported(statement))
        check(source, statement.name?.text ?? "default", statement);
      if (ts.isVariableStatement(statement) && isExported(statement))
        for (const { name, initializer } of statement.declarationList.declarations)
          if (initializer && ts.isFunctionLike(initializer)) check(source, name.getText(), initializer);
    }
  expect(refused).toEqual([]);
});

const MAX_LINES = 300;

/**
 * Files that are allowed to be longer: tables, which grow only by rows, and parsers whose functions call one another.
 */
const LONG_FILES: Readonly<Record<string, string>> = {
  "hooks/_destructive/database.ts": "a table of rules",
  "hooks/_destructive/downloads.ts": "a table of rules",
  "hooks/_destructive/git.ts": "a table of rules",
  "src/policy/describe.ts": "the schema of the config file",
  "src/secrets/kinds/services.ts": "a table of secrets",
  "src/shell/powershell/equivalents.ts": "a table of cmdlets",
  "src/shell/programs/wrappers.ts": "a table of programs",
  "src/shell/walk.ts": "the walk over a line's syntax tree, which is recursive",
};

test("only the listed files have more than 300 lines", () => {
  const long = sources.filter(({ text }) => text.trimEnd().split("\n").length > MAX_LINES);
  expect(long.map(({ fileName }) => fileName)).toEqual(Object.keys(LONG_FILES));
});
