import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { BUILD_MODULE } from "./build-values.ts";
import { importMoved, PROVIDED_MODULES } from "./provided.ts";

/**
 * A bundler makes a chunk of what the same chunks need; a call would load some eighty, and to load one takes longer than
 * what most of them do. So these modules are made one, with what they import of the same sources and no group above has.
 */
const GROUPS: readonly (readonly string[])[] = [
  [
    "src/protocol/hook.ts",
    "src/call/built/hooks.ts",
    "src/call/call.ts",
    "src/call/state/state-directory.ts",
    "src/system/files.ts",
    "src/system/paths.ts",
    "src/author/kit/comparable-path.ts",
    "src/author/kit/expand-word.ts",
    "src/hosts/codec/answer.ts",
    "src/hosts/codec/capability-rows.ts",
    "src/hosts/codec/patch-call.ts",
    "src/hosts/codec/unlisted-tools.ts",
    "src/hosts/codec/session-events.ts",
    "src/policy/vocabulary.ts",
  ],
  ["src/shell/index.ts", "src/shell/pattern.ts", "src/author/kit/git.ts"],
  ["src/author/kit/guarded.ts"],
  // Calls that people may have allowed need it without the rest.
  ["src/policy/read.ts", "src/policy/allow.ts"],
  ["src/call/configured.ts"],
];

/** A group as a bundler takes it. */
export interface PreparedGroup {
  /** Their first entry: the module that takes their place. Nothing imports it later. */
  file: string;
  /** Its text until it is bundled: all that its members export, under names of their own. */
  text: string;
  members: readonly string[];
  /** Whether its members import each other later, too. */
  later: boolean;
  /** The members whose exports have the same names there. */
  moved: readonly string[];
  /** By the others: a text that exports the same from that module, for those that are left and for later imports. */
  stubs: Readonly<Record<string, string>>;
}

/** What takes the place of modules. */
export interface Replacements {
  stubs: Record<string, string>;
  moved: Record<string, string>;
}

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Lists the groups, in the order in which they have to be bundled. */
export function prepareGroups(program: string, texts: Readonly<Record<string, string>>): PreparedGroup[] {
  const taken = new Set<string>();
  return GROUPS.map((entries) => {
    const left = entries.map((entry) => join(program, entry)).reverse();
    const file = left.at(-1) as string;
    const members: string[] = [];
    const lines: string[] = [];
    const names = new Set<string>();
    const moved: string[] = [];
    const stubs: Record<string, string> = {};
    for (let member = left.pop(); member !== undefined; member = left.pop()) {
      if (taken.has(member)) continue;
      taken.add(member);
      const at = members.push(member);
      const { exports, imports } = transpiler.scan(texts[member] ?? readFileSync(member, "utf8"));
      const isUnique = !exports.some((name) => names.has(name));
      const rename = (name: string) => (isUnique ? name : `${name}_${at}`);
      for (const name of exports) names.add(name);
      const formatList = (format: (name: string) => string) => `export { ${exports.map(format).join(", ")} }`;
      lines.push(`${formatList((name) => `${name} as ${rename(name)}`)} from ${JSON.stringify(member)};\n`);
      if (isUnique) moved.push(member);
      if (member !== file)
        stubs[member] = `${formatList((name) => `${rename(name)} as ${name}`)} from ${JSON.stringify(file)};\n`;
      for (const { kind, path: imported } of imports)
        if (kind === "import-statement" && imported.startsWith(".")) left.push(join(dirname(member), imported));
    }
    return { file, text: lines.join(""), members, later: false, moved, stubs };
  });
}

/** Where a call's modules end, and those of the commands that people type begin. */
const COMMANDS_PATH = "src/cli/main.ts";
/** What is not loaded by way of the commands alone: calls, what hooks and their tests import, and what the build writes. */
const OTHER_ENTRIES = ["src/main.ts", ...Object.values(PROVIDED_MODULES), "src/cli/build/own.ts"];

/**
 * Groups all that the commands alone need, now or later: the engine lists the embedded modules at the start of every
 * call, at almost a microsecond each.
 */
export function prepareCommands(program: string, texts: Readonly<Record<string, string>>): PreparedGroup {
  const file = join(program, COMMANDS_PATH);
  const others = new Set([file]);
  for (const entry of OTHER_ENTRIES) collectModules(join(program, entry), texts, others);
  others.delete(file);
  const all = collectModules(file, texts, new Set(others));
  const members = [...all].filter((module) => !others.has(module));
  return { file, text: `export { main } from ${JSON.stringify(file)};\n`, members, later: true, moved: [], stubs: {} };
}

/** What takes the commands' place in an executable that only answers calls. */
export const stubCommands = (program: string): Replacements["stubs"] => ({
  [join(program, COMMANDS_PATH)]: "export const main = () => 1;\n",
});

/** Adds a module, and all of ours that it imports at any time, to those that are known. */
function collectModules(entry: string, texts: Readonly<Record<string, string>>, known: Set<string>): Set<string> {
  const left = [entry];
  for (let module = left.pop(); module !== undefined; module = left.pop()) {
    if (known.has(module)) continue;
    known.add(module);
    if (!module.endsWith(".ts")) continue;
    for (const { path } of transpiler.scanImports(texts[module] ?? readFileSync(module, "utf8")))
      if (path.startsWith(".")) left.push(join(dirname(module), path));
  }
  return known;
}

/** Makes a bundler take in the members of a group alone, whatever they import beside. */
export function bundleMembersOnly(
  builder: Bun.PluginBuilder,
  { members, later }: Pick<PreparedGroup, "members" | "later">,
): void {
  builder.onResolve({ filter: /^/ }, ({ path, importer, kind }) => {
    if (!importer) return undefined;
    if (!path.startsWith(".") && !isAbsolute(path)) return { path, external: true };
    const file = resolve(dirname(importer), path);
    return { path: file, external: (!later && kind !== "import-statement") || !members.includes(file) };
  });
}

/**
 * Makes a bundler read other texts in the place of modules, and import those that moved from where they are now. Unlike
 * its own option for that, and unlike resolving, this leaves it with what package.json says about side effects [seen Bun
 * 1.4.5, 2026-11-25].
 */
export function replaceModules(
  builder: Bun.PluginBuilder,
  { stubs, moved }: Replacements,
  written: Readonly<Record<string, string>>,
): void {
  builder.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => {
    const stub = stubs[path];
    if (stub === undefined && BUILD_MODULE.test(path)) return undefined;
    const text = stub ?? written[path] ?? readFileSync(path, "utf8");
    const contents = importMoved(text, dirname(path), moved);
    if (contents === text && stub === undefined) return undefined;
    return { contents, loader: stub === undefined ? "ts" : "js" };
  });
}
