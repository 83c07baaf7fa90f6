import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Glob } from "bun";
import ts from "typescript";
import { checkModules } from "../../../../src/cli/build/check-modules.ts";
import { type SourceProblem, SourceProblemsError } from "../../../../src/cli/build/problem.ts";
import { withWorkshop } from "../../../../src/cli/build/workshop.ts";
import { initProject } from "../../../../src/cli/init/init.ts";
import { ROOT } from "../../../support/fixtures.ts";
import { RIGHT_HOOKS, RIGHT_SCRIPTS } from "./right.ts";
import { WRONG_HOOKS } from "./wrong.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-answers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const IMPORTS =
  'import { allow, ask, commands, context, defineHook, deny, git, modify, modifyOutput, warn } from "bridge-hooks";';
const TYPES = 'import type { IHookResponse } from "bridge-hooks";';

/** Writes modules to a project created by `init`, one per file. */
async function createModules(name: string, modules: readonly (readonly [code: string, extension: string])[]) {
  const project = join(folder, name);
  await initProject(project);
  return modules.map(([code, extension], at) => {
    const file = join(project, "hooks", `module-${at}.${extension}`);
    mkdirSync(join(project, "hooks"), { recursive: true });
    writeFileSync(file, `${extension.endsWith("ts") ? `${IMPORTS} ${TYPES}` : IMPORTS}\n${code}`);
    return file;
  });
}

/** Returns the problems that `build` reports for the given modules. */
async function findProblems(files: readonly string[]): Promise<readonly SourceProblem[]> {
  const error = await withWorkshop(join(folder, "shop"), (shop) => checkModules(files, shop)).catch((thrown) => thrown);
  if (error === undefined) return [];
  if (!(error instanceof SourceProblemsError)) throw error;
  return error.problems;
}

const wrong = await createModules(
  "wrong",
  WRONG_HOOKS.map(({ code, extension = "ts" }) => [stripTypes(code, extension), extension]),
);
/** Removes the only type annotation from the shared header, because JavaScript doesn't allow it. */
function stripTypes(code: string, extension: string): string {
  return extension.endsWith("ts") ? code : code.replaceAll(": string", "");
}
const problems = await findProblems(wrong);

describe("build rejects, at the faulty line,", () => {
  for (const [at, { title, code }] of WRONG_HOOKS.entries())
    test(title, () => {
      const lines = code.split("\n");
      const row = lines.findIndex((line) => line.includes("// ✗ "));
      const expected = (lines[row] as string).split("// ✗ ")[1] as string;
      const found = problems.filter(({ file }) => file === wrong[at]);
      const there = found.filter(({ line }) => line === row + 2);
      expect([there.map(({ message }) => message).join("\n"), expected]).toEqual([
        expect.stringContaining(expected),
        expected,
      ]);
      // A single mistake is reported as a single error.
      expect(found.map(({ message }) => message)).toEqual([there[0]?.message as string]);
    });
  test("with one-line messages, without the compiler's long types", () => {
    expect(
      problems.map(({ message }) => message).filter((one) => one.length > 250 || /\n|Partial<\{/.test(one)),
    ).toEqual([]);
  });
});

/** Lists the errors an editor shows with the types and options that `init` writes. */
function listEditorErrors(project: string): { file: string; line: number }[] {
  const path = join(project, "tsconfig.json");
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(path, {}, host);
  if (!config) throw new Error("the project has no tsconfig.json");
  const program = ts.createProgram(config.fileNames, config.options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0 }) => ({
    file: file?.fileName ?? "",
    line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
  }));
}

describe("an editor shows, at the faulty line,", () => {
  const errors = listEditorErrors(join(folder, "wrong"));
  for (const [at, { title, code, editor }] of WRONG_HOOKS.entries())
    if (editor)
      test(title, () => {
        const row = code.split("\n").findIndex((line) => line.includes("// ✗ "));
        expect(errors).toContainEqual({ file: wrong[at] as string, line: row + 2 });
      });
});

describe("build accepts", () => {
  test("valid modules", async () => {
    const entries = [
      ...Object.entries(RIGHT_HOOKS).map(([title, code]) => [title, code, "ts"] as const),
      ...Object.entries(RIGHT_SCRIPTS).map(([title, code]) => [title, code, "js"] as const),
    ];
    const files = await createModules(
      "right",
      entries.map(([, code, extension]) => [code, extension]),
    );
    const found = await findProblems(files);
    expect(found.map(({ file, message }) => [entries[files.indexOf(file)]?.[0], message])).toEqual([]);
    expect(listEditorErrors(join(folder, "right"))).toEqual([]);
    expect(entries.length).toBeGreaterThan(35);
  });
  test("the starter hooks, and the examples of the documentation", async () => {
    const starters = [...new Glob("hooks/*.ts").scanSync(ROOT)].map((path) => readFileSync(join(ROOT, path), "utf8"));
    expect(starters.length).toBeGreaterThan(6);
    const project = join(folder, "documented");
    await initProject(project, { starter: true });
    const blocks = [...new Glob("docs/**/*.md").scanSync(ROOT)].flatMap((path) =>
      [...readFileSync(join(ROOT, path), "utf8").matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = ""]) => code),
    );
    expect(blocks.length).toBeGreaterThan(4);
    const modules = blocks.filter((code) => !code.includes('"bun:test"'));
    modules.forEach((code, at) => writeFileSync(join(project, `hooks/block-${at}.ts`), code));
    writeFileSync(join(project, "hooks/guard.sh"), "");
    const files = [...new Glob("hooks/*.ts").scanSync(project)].filter((path) => !path.endsWith(".test.ts"));
    const found = await findProblems(files.map((path) => join(project, path)));
    expect(found.map(({ file, line, message }) => `${basename(file)}:${line}: ${message}`)).toEqual([]);
  });
});
