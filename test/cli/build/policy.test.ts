import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildExecutable } from "../../../src/cli/build/build.ts";
import { hashHooks } from "../../../src/cli/build/bundle.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { loadHooks, listHookModules } from "../../../src/cli/load-hooks.ts";
import { ROOT } from "../../support/fixtures.ts";
import { createFolder, executable, folder, runProgram } from "./project-support.ts";

const HOOK = `import { commands, defineHook, deny } from "bridge-hooks";
import { names } from "./_lists/names.build.ts";
import { reason } from "./_reason.ts";
import tiny from "tiny";
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler: (event) => (commands(event).some(({ program }) => names.includes(program) || tiny(program)) ? deny(reason) : undefined),
});
`;
const FILES: Readonly<Record<string, string>> = {
  "hooks/guard.ts": HOOK,
  "hooks/_reason.ts": 'export const reason = "not here";\n',
  "hooks/_lists/names.build.ts": 'import { all } from "./all.ts";\nexport const names: string[] = all.slice(0, 2);\n',
  "hooks/_lists/all.ts": 'export const all = ["a", "b", "c"];\n',
  "node_modules/tiny/package.json": '{ "name": "tiny", "version": "1.0.0", "main": "index.js" }',
  "node_modules/tiny/index.js": 'module.exports = (name) => name === __dirname + "/x";\n',
};
const hashOf = (changes: Readonly<Record<string, string>> = {}): Promise<string> => {
  const at = createFolder({ ...FILES, ...changes });
  return withWorkshop(at, async (shop) => {
    const hooks = join(at, "hooks");
    return hashHooks(
      await loadHooks(
        listHookModules(hooks).map((name) => join(hooks, name)),
        shop,
      ),
      shop,
    );
  });
};

describe("the hash of hooks", () => {
  const original = hashOf();
  const SAME: [name: string, changes: Readonly<Record<string, string>>][] = [
    ["in another folder", {}],
    [
      "a comment, layout and a type",
      {
        "hooks/guard.ts": `// Ours.\n${HOOK.replaceAll("  ", "    ")}`,
        "hooks/_reason.ts": 'export const reason: string =\n  "not here";\n',
      },
    ],
    ["what is not imported", { "hooks/_draft.ts": "export const x = 1;\n", "hooks/guard.test.ts": "1;\n" }],
    ["what no value is computed from", { "hooks/_lists/all.ts": 'export const all = ["a", "b", "x"];\n' }],
  ];
  for (const [name, changes] of SAME)
    test(`stays: ${name}`, async () => expect(await hashOf(changes)).toBe(await original));
  const OTHER: [name: string, changes: Readonly<Record<string, string>>][] = [
    ["the hook", { "hooks/guard.ts": HOOK.replace('tool: "Bash",', 'tool: "Bash", order: 1,') }],
    [
      "its name",
      { "hooks/other.ts": HOOK, "hooks/guard.ts": 'export { default } from "./_none.ts";', "hooks/_none.ts": HOOK },
    ],
    ["what it imports", { "hooks/_reason.ts": 'export const reason = "nowhere";\n' }],
    ["what a value is computed from", { "hooks/_lists/all.ts": 'export const all = ["a", "x", "c"];\n' }],
    ["a package", { "node_modules/tiny/index.js": "module.exports = () => false;\n" }],
    ["another hook", { "hooks/second.ts": HOOK }],
  ];
  for (const [name, changes] of OTHER)
    test(`changes: ${name}`, async () => expect(await hashOf(changes)).not.toBe(await original));
});

test("an executable knows its policy, and names it by its hash", async () => {
  const [outfile, again] = [join(folder, "acme", "guard"), join(folder, "acme", "deeper", "guard")];
  const hooks = join(createFolder(FILES), "hooks");
  const built = await buildExecutable({ hooks, outfile, policy: { name: "acme", version: "1.4.0" } });
  const home = join(folder, "acme-home");
  const work = join(home, "work");
  mkdirSync(work, { recursive: true });
  const env = { HOME: home, USERPROFILE: home, PATH: "/usr/bin:/bin" };
  const identify = async (program: string) => {
    const { policy } = JSON.parse((await runProgram(program, ["rules", "--json"], { cwd: work, env })).stdout);
    return policy as { name: string; version: string; hash: string; parts: Record<string, string> };
  };
  const plain = await identify(outfile);
  expect(plain).toEqual({
    name: "acme",
    version: "1.4.0",
    hash: expect.stringMatching(/^[0-9a-f]{12}$/),
    parts: { hooks: built.policy.hooks },
  });
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const line = `policy: acme 1.4.0, hash ${plain.hash}\n`;
  expect((await runProgram(outfile, ["--version"], { cwd: work, env })).stdout).toBe(`${version}\n${line}`);
  for (const command of ["list", "status", "doctor"])
    expect((await runProgram(outfile, [command], { cwd: work, env })).stdout).toStartWith(line);

  // Built by another executable, in another folder, at another time, under another name.
  const { code } = await runProgram(executable, ["build", "--outfile", again, "--no-check"], {
    cwd: dirname(hooks),
    env: { ...env, HOME: folder },
  });
  expect(code).toBe(0);
  expect(await identify(again)).toEqual({ ...plain, name: "bridge-hooks", version });

  const file = join(work, ".bridge-hooks.json");
  writeFileSync(file, '{ "hooks": { "guard": {} } }');
  const configured = await identify(outfile);
  expect([configured.hash === plain.hash, Object.keys(configured.parts)]).toEqual([false, ["hooks", "project"]]);
  writeFileSync(file, '{\n  // The same.\n  "$schema": "x",\n  "hooks": { "guard": {} }\n}\n');
  expect(await identify(outfile)).toEqual(configured);
  writeFileSync(file, '{ "hooks": { "guard": {} }, "rules": {} }');
  expect((await identify(outfile)).hash).not.toBe(configured.hash);
  writeFileSync(file, "{");
  expect((await identify(outfile)).hash).not.toBe(configured.hash);
});

test("a policy's version that is none", async () => {
  const { code, stderr } = await runProgram(executable, ["build", "--policy-version", "1 4"], {
    cwd: createFolder(FILES),
  });
  expect([code, stderr]).toEqual([
    1,
    "bridge-hooks: --policy-version takes a version: digits, letters, and . - + _ between them, as in 1.4.0\n",
  ]);
});
