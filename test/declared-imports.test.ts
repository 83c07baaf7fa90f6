import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { Glob } from "bun";
import ts from "typescript";
import { ROOT } from "./support/fixtures.ts";

type Manifest = Record<"name", string> & Record<"dependencies" | "devDependencies", Record<string, string>>;
const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const files = [
  "build.ts",
  ...["src", "hooks", "test", "release", "tools"]
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => [...new Glob(`${folder}/**/*.{ts,tsx,js,mjs,cjs}`).scanSync(ROOT)]),
].map((file) => file.replaceAll("\\", "/"));

/** Whether a file is compiled into the executable. All others run only in the repository. */
const isShipped = (file: string) => /^(src|hooks)\//.test(file);

const PACKAGE = /^(@[\w.-]+\/)?[\w][\w.-]*(?=\/|$)/;

interface Import {
  name: string;
  /** Whether the import is erased during compilation. */
  isType: boolean;
}

/** Lists the packages a file imports, excluding built-in modules and the project itself. */
function listPackages(file: string, text: string): Import[] {
  const code = text.replace(/^#!.*/, "");
  const transpiler = new Bun.Transpiler({ loader: /\.tsx?$/.test(file) ? "ts" : "js" });
  const values = new Set(transpiler.scanImports(code).map(({ path }) => path));
  const all = new Set([...values, ...ts.preProcessFile(code, true, true).importedFiles.map((one) => one.fileName)]);
  return [...all]
    .filter((path) => !isBuiltin(path))
    .map((path) => ({ name: PACKAGE.exec(path)?.[0], isType: !values.has(path) }))
    .filter((one): one is Import => one.name !== undefined && one.name !== manifest.name);
}

/** Lists imports in the repository that aren't declared in any manifest. */
function findUndeclared({ dependencies, devDependencies }: Manifest): string[] {
  const isDeclared = (file: string, { name, isType }: Import) =>
    name in dependencies || (name in devDependencies && (isType || !isShipped(file)));
  return files.flatMap((file) =>
    listPackages(file, readFileSync(join(ROOT, file), "utf8"))
      .filter((one) => !isDeclared(file, one))
      .map(({ name }) => `${file}: ${name}`),
  );
}

test("every imported package is declared in package.json", () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(findUndeclared(manifest)).toEqual([]);
});

test("shipped code that imports an undeclared package, or a development dependency, is reported", () => {
  const { "@opentelemetry/api": version = "", ...dependencies } = manifest.dependencies;
  const undeclared = ["src/operate/export/otlp.ts: @opentelemetry/api"];
  expect(findUndeclared({ ...manifest, dependencies })).toEqual(undeclared);
  // This package is compiled into the executable, so it isn't a development dependency.
  const devDependencies = { ...manifest.devDependencies, "@opentelemetry/api": version };
  expect(findUndeclared({ ...manifest, dependencies, devDependencies })).toEqual(undeclared);
});

test("imports are found in every form, and not in strings", () => {
  const code = `#!/usr/bin/env bun
    import a from "a-value";
    import type { B } from "b-type";
    export { c } from "@scope/c-export/deep";
    const d = await import("d-dynamic");
    const e = require("e-required");
    type F = import("f-type").F;
    import { readFileSync } from "node:fs";
    import { test } from "bun:test";
    import "./own.ts";
    import { defineHook } from "${manifest.name}";
    const text = 'import x from "in-a-string"';
    const template = \`import y from "in-a-template"\`;
    console.log(a, d, e, readFileSync, test, defineHook, text, template);
  `;
  expect(listPackages("a.ts", code).toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
    { name: "@scope/c-export", isType: false },
    { name: "a-value", isType: false },
    { name: "b-type", isType: true },
    { name: "d-dynamic", isType: false },
    { name: "e-required", isType: false },
    { name: "f-type", isType: true },
  ]);
});
