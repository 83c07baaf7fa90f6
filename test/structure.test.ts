import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { flagName, settingsOf } from "../src/run/options.ts";
import { hosts } from "../src/hosts/index.ts";
import { ROOT } from "./fixtures.ts";

const SRC = join(ROOT, "src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** The files under src that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const named = [...text.matchAll(/from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)].map((match) => match[1] ?? (match[2] as string));
  const run = transpiler
    .scanImports(text)
    .map(({ path }) => path)
    .filter((path) => path.startsWith("."));
  return [...new Set([...named, ...run])].map((path) => relative(SRC, join(SRC, dirname(file), path)));
}

/** What each folder may import, besides itself. */
const ALLOWED: Record<string, string[]> = {
  core: [],
  hosts: ["core"],
  run: ["core", "hosts"],
  kit: ["core", "hosts", "run"],
  testing: ["core", "hosts", "run"],
  cli: ["core", "hosts", "run", "testing", "."],
};

test("imports go one way", () => {
  let checked = 0;
  for (const file of files) {
    const from = file.includes("/") ? (file.split("/")[0] as string) : ".";
    for (const to of importsOf(file)) {
      if (to.startsWith("..")) continue;
      const folder = to.includes("/") ? (to.split("/")[0] as string) : ".";
      checked++;
      if (from === "." || folder === from) continue;
      expect([file, to, ALLOWED[from]?.includes(folder)]).toEqual([file, to, true]);
    }
  }
  expect(checked).toBeGreaterThan(100);
});

test("a host imports nothing of another host", () => {
  for (const { id } of hosts) {
    for (const file of files.filter((name) => name.startsWith(`hosts/${id}/`))) {
      for (const to of importsOf(file))
        for (const other of hosts) if (other.id !== id) expect([file, to.startsWith(`hosts/${other.id}/`)]).toEqual([file, false]);
    }
  }
});

test("shared code names no host", () => {
  // The build tries its result with one host's payload.
  const shared = files.filter((file) => /^(core|run|kit|testing|cli)\//.test(file) && file !== "cli/selftest.ts");
  expect(shared.length).toBeGreaterThan(15);
  const names = new RegExp(hosts.map(({ id }) => id).join("|"), "i");
  for (const file of shared) expect([file, names.exec(readFileSync(join(SRC, file), "utf8"))?.[0]]).toEqual([file, undefined]);
});

test("only a few files of a hook call touch the process", () => {
  const touching = files.filter(
    (file) =>
      !/^(cli|testing)\//.test(file) && /\bprocess\.(exit|argv|stdin|stdout|stderr|on|off)\b/.test(readFileSync(join(SRC, file), "utf8")),
  );
  expect(touching.sort()).toEqual(["main.ts", "run/io.ts", "run/library.ts", "run/limit.ts"]);
});

test("every host has the same files", () => {
  const call = ["capabilities.ts", "decode.ts", "encode.ts", "entry.ts", "guarded.ts", "index.ts", "rewrite.ts", "wire.ts"];
  const install = ["check.ts", "examine.ts", "flaws.ts", "pack.ts", "samples.ts", "setup.ts", "verdict.ts"];
  const speak = ["speak.ts", "understand.ts"];
  const names = [...call, ...install, ...speak, "fixtures"];
  for (const { id } of hosts) expect(readdirSync(join(SRC, "hosts", id))).toEqual(expect.arrayContaining(names));
});

test("the hosts' own options are the ones that `run` documents", () => {
  const text = readFileSync(join(SRC, "hosts/index.ts"), "utf8");
  const documented = [...text.matchAll(/^ {2}(\w+)\?: (.+);$/gm)].map(([, name, values]) => [name, values]);
  const declared = hosts.flatMap(({ options }) =>
    Object.entries(options).map(([name, { values }]) => [name, values.map((value) => `"${value}"`).join(" | ")]),
  );
  expect(documented.sort()).toEqual(declared.sort());
  expect(flagName("cursorAskFallback")).toBe("--cursor-ask-fallback");
  for (const host of hosts)
    for (const [name, { values }] of Object.entries(host.options)) expect(settingsOf(host, { [name]: "nonsense" })[name]).toBe(values[0]);
});
