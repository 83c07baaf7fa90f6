import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/**
 * A bundler makes a chunk of what the same chunks need; a call would load some eighty, and to load one takes longer than
 * what most of them do. So these modules are made one, with what they import of the same sources and no group above has.
 */
const GROUPS: readonly (readonly string[])[] = [
  [
    "src/run/call.ts",
    "src/run/dispatch.ts",
    "src/run/state-directory.ts",
    "src/protocol/hook.ts",
    "src/author/kit/comparable-path.ts",
    "src/author/kit/expand-word.ts",
    "src/hosts/tool-table.ts",
    "src/hosts/unlisted-tools.ts",
    "src/hosts/session-events.ts",
  ],
  ["src/shell/index.ts", "src/author/kit/git.ts"],
  ["src/author/kit/guarded.ts"],
];

/** A group as a bundler takes it. */
export interface PreparedGroup {
  /** Their first entry: the module that takes their place. */
  file: string;
  /** Its text until it is bundled: all that its members export, under names of their own. */
  text: string;
  members: readonly string[];
  /** By the other members: a text that exports the same from that module. */
  stubs: Readonly<Record<string, string>>;
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
    const stubs: Record<string, string> = {};
    for (let member = left.pop(); member !== undefined; member = left.pop()) {
      if (taken.has(member)) continue;
      taken.add(member);
      const at = members.push(member);
      const { exports, imports } = transpiler.scan(texts[member] ?? readFileSync(member, "utf8"));
      const rename = (name: string) => (member === file ? name : `${name}_${at}`);
      const formatList = (format: (name: string) => string) => `export { ${exports.map(format).join(", ")} }`;
      lines.push(`${formatList((name) => `${name} as ${rename(name)}`)} from ${JSON.stringify(member)};\n`);
      if (member !== file)
        stubs[member] = `${formatList((name) => `${rename(name)} as ${name}`)} from ${JSON.stringify(file)};\n`;
      for (const { kind, path: imported } of imports)
        if (kind === "import-statement" && imported.startsWith(".")) left.push(join(dirname(member), imported));
    }
    return { file, text: lines.join(""), members, stubs };
  });
}

/** Makes a bundler take in the members of a group alone, whatever they import beside. */
export function bundleMembersOnly(builder: Bun.PluginBuilder, members: readonly string[]): void {
  builder.onResolve({ filter: /^/ }, ({ path, importer, kind }) => {
    if (!importer) return undefined;
    if (!path.startsWith(".") && !isAbsolute(path)) return { path, external: true };
    const file = resolve(dirname(importer), path);
    return { path: file, external: kind !== "import-statement" || !members.includes(file) };
  });
}

/**
 * Makes a bundler read other texts in the place of modules. Unlike its own option for that, this leaves it with what
 * package.json says about side effects [seen Bun 1.4.5, 2026-11-25].
 */
export function replaceTexts(builder: Bun.PluginBuilder, texts: Readonly<Record<string, string>>): void {
  builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const contents = texts[path];
    return contents === undefined ? undefined : { contents, loader: "js" };
  });
}
