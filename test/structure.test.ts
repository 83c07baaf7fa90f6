import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toFlagName, getHostOptionValues } from "../src/call/options.ts";
import { hosts } from "../src/hosts/index.ts";
import { findImportCycle, getTopFolder, listImports, listModules, SRC } from "../tools/docs/import-graph.ts";
import { formatRegistryFiles } from "../tools/registry.ts";

const files = listModules();

/** Permitted imports: for each directory, which other directories it may import from. */
const ALLOWED: Record<string, string[]> = {
  protocol: [],
  system: ["protocol"],
  shell: ["protocol", "system"],
  hosts: ["protocol", "system"],
  secrets: [],
  policy: ["protocol", "system", "shell"],
  call: ["protocol", "system", "shell", "secrets", "hosts", "policy"],
  author: ["protocol", "system", "shell", "secrets", "hosts", "policy", "call"],
  operate: ["protocol", "system", "shell", "hosts", "policy", "call", "author"],
  cli: ["protocol", "system", "secrets", "hosts", "policy", "call", "author", "operate", "."],
};

test("each directory of src imports only from the directories on which it may depend", () => {
  let checked = 0;
  for (const file of files) {
    const from = getTopFolder(file);
    for (const to of listImports(file)) {
      if (to.startsWith("..")) continue;
      const folder = getTopFolder(to);
      checked++;
      if (from === "." || folder === from) continue;
      expect([file, to, ALLOWED[from]?.includes(folder)]).toEqual([file, to, true]);
    }
  }
  expect(checked).toBeGreaterThan(100);
});

test("modules do not import each other in a cycle, types included", () => {
  const next: Record<string, string[]> = { "a.ts": ["b.ts"], "b.ts": ["c.ts"], "c.ts": ["b.ts"] };
  expect(findImportCycle(Object.keys(next), (file) => next[file] ?? [])).toEqual(["b.ts", "c.ts", "b.ts"]);
  expect(findImportCycle()).toBeUndefined();
});

test("only commands use the command-line parser", () => {
  const parsing = files.filter((file) => readFileSync(join(SRC, file), "utf8").includes('from "clipanion"'));
  expect(parsing.length).toBeGreaterThan(20);
  expect(parsing.filter((file) => !file.startsWith("cli/"))).toEqual([]);
});

test("an option that several commands have is declared once", () => {
  const declared = files
    .filter((file) => file.startsWith("cli/"))
    .flatMap((file) => readFileSync(join(SRC, file), "utf8").match(/\bOption\.\w+\("--[^;]*/g) ?? [])
    .map((text) => text.replace(/,?\s+/g, " "));
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((text, at) => declared.indexOf(text) !== at)).toEqual([]);
});

test("a host imports nothing from another host", () => {
  for (const { id } of hosts) {
    for (const file of files.filter((name) => name.startsWith(`hosts/${id}/`))) {
      for (const to of listImports(file))
        for (const other of hosts)
          if (other.id !== id) expect([file, to.startsWith(`hosts/${other.id}/`)]).toEqual([file, false]);
    }
  }
});

test("shared code names no host", () => {
  // The build's self-test uses a payload from one host.
  const shared = files.filter(
    (file) =>
      /^(protocol|shell|system|policy|call|author|operate|cli)\//.test(file) && file !== "cli/build/selftest.ts",
  );
  expect(shared.length).toBeGreaterThan(15);
  // A short ID could be part of any word. Longer ones can be part of a name, such as `droid` in Android.
  const names = new RegExp(hosts.map(({ id }) => (id.length < 4 ? `\\b${id}\\b` : id)).join("|"), "i");
  const readNames = (file: string) =>
    names.exec(readFileSync(join(SRC, file), "utf8").replaceAll(/android|execlineb/gi, ""))?.[0];
  for (const file of shared) expect([file, readNames(file)]).toEqual([file, undefined]);
});

test("on the path of a hook call, only four files use argv, exit, signals or the standard streams", () => {
  const touching = files.filter(
    (file) =>
      !/^(cli|operate|author\/testing)\//.test(file) &&
      /\bprocess\.(exit|argv|stdin|stdout|stderr|on|off)\b/.test(readFileSync(join(SRC, file), "utf8")),
  );
  expect(touching.sort()).toEqual(["call/library.ts", "call/process/io.ts", "main.ts", "system/limit.ts"]);
});

test("the files that list the hosts match what `npm run registry` writes", async () => {
  const expected = await formatRegistryFiles();
  expect(Object.keys(expected).sort()).toEqual(["entries.ts", "options.ts", "registry.ts"]);
  for (const [name, text] of Object.entries(expected))
    expect([name, readFileSync(join(SRC, "hosts", name), "utf8")]).toEqual([name, text]);
});

test("every host has the same files", () => {
  const names = [
    ...["answers.ts", "call.ts", "capabilities.ts", "commands.ts", "doctor.ts", "host.ts", "index.ts", "install.ts"],
    ...["native-payloads.ts", "pack.ts", "read-answers.ts", "samples.json", "tools.ts"],
  ];
  for (const { id } of hosts) expect(readdirSync(join(SRC, "hosts", id))).toEqual(expect.arrayContaining(names));
});

test("the hosts' own options are the ones that `run` documents", () => {
  const text = readFileSync(join(SRC, "hosts/options.ts"), "utf8");
  const documented = [...text.matchAll(/^ {2}(\w+)\?: (.+);$/gm)].map(([, name, values]) => [name, values]);
  const declared = hosts.flatMap(({ options }) =>
    Object.entries(options).map(([name, { values }]) => [name, values.map((value) => `"${value}"`).join(" | ")]),
  );
  expect(documented.sort()).toEqual(declared.sort());
  expect(toFlagName("cursorAskFallback")).toBe("--cursor-ask-fallback");
  for (const host of hosts)
    for (const [name, { values }] of Object.entries(host.options))
      expect(getHostOptionValues(host, { [name]: "nonsense" })[name]).toBe(values[0]);
});

test("only system/files uses throwIfNoEntry, with which Bun's own functions throw below a file", () => {
  const others = files.filter((file) => {
    const text = readFileSync(join(SRC, file), "utf8");
    const named = /import \{([^}]*)\} from "node:fs"/.exec(text)?.[1] ?? "";
    return text.includes("throwIfNoEntry: false") && /\bl?statSync\b/.test(named);
  });
  expect(others).toEqual([]);
});
