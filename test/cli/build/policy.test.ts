import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashHooks } from "../../../src/cli/build/bundle.ts";
import { withWorkshop } from "../../../src/cli/build/workshop.ts";
import { loadHooks, listHookModules } from "../../../src/cli/load-hooks.ts";
import { computeHash } from "../../../src/call/log/compute-hash.ts";
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
    ["in another directory", {}],
    [
      "with a comment, another layout and a type",
      {
        "hooks/guard.ts": `// Ours.\n${HOOK.replaceAll("  ", "    ")}`,
        "hooks/_reason.ts": 'export const reason: string =\n  "not here";\n',
      },
    ],
    [
      "with modules that no hook imports",
      { "hooks/_draft.ts": "export const x = 1;\n", "hooks/guard.test.ts": "1;\n" },
    ],
    [
      "with a different string that affects no value",
      { "hooks/_lists/all.ts": 'export const all = ["a", "b", "x"];\n' },
    ],
  ];
  for (const [name, changes] of SAME)
    test(`is the same ${name}`, async () => expect(await hashOf(changes)).toBe(await original));
  const OTHER: [name: string, changes: Readonly<Record<string, string>>][] = [
    ["the hook", { "hooks/guard.ts": HOOK.replace('tool: "Bash",', 'tool: "Bash", order: 1,') }],
    [
      "the name of the hook",
      { "hooks/other.ts": HOOK, "hooks/guard.ts": 'export { default } from "./_none.ts";', "hooks/_none.ts": HOOK },
    ],
    ["an imported text", { "hooks/_reason.ts": 'export const reason = "nowhere";\n' }],
    ["a string that affects a value", { "hooks/_lists/all.ts": 'export const all = ["a", "x", "c"];\n' }],
    ["a package", { "node_modules/tiny/index.js": "module.exports = () => false;\n" }],
    ["the number of hooks", { "hooks/second.ts": HOOK }],
  ];
  for (const [name, changes] of OTHER)
    test(`changes if ${name} changes`, async () => expect(await hashOf(changes)).not.toBe(await original));
});

test("an executable identifies its policy by the build's name and version, and by a hash that depends on neither", async () => {
  const outfile = join(folder, "acme", "guard");
  const home = join(folder, "acme-home");
  const work = join(home, "work");
  mkdirSync(work, { recursive: true });
  const env = { HOME: home, USERPROFILE: home, PATH: "/usr/bin:/bin" };
  const identify = async (program: string) => {
    const { policy } = JSON.parse((await runProgram(program, ["rules", "--json"], { cwd: work, env })).stdout);
    return policy as { name: string; version: string; hash: string; parts: Record<string, string> };
  };
  // Later, a different executable builds the same policy in another directory.
  const hooks = await hashOf();
  const options = ["--name", "acme", "--policy-version", "1.4.0", "--outfile", outfile, "--no-check"];
  const built = await runProgram(executable, ["build", ...options], { cwd: createFolder(FILES) });
  expect([built.code, built.stdout]).toEqual([
    0,
    expect.stringContaining(`policy: acme 1.4.0, hash of its hooks ${hooks}\n`),
  ]);
  const plain = await identify(outfile);
  expect(plain).toEqual({ name: "acme", version: "1.4.0", hash: computeHash(["hooks", hooks]), parts: { hooks } });
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const unnamed = await identify(executable);
  expect(unnamed).toEqual({
    name: "bridge-hooks",
    version,
    hash: computeHash(["hooks", unnamed.parts.hooks as string]),
    parts: { hooks: expect.stringMatching(/^[0-9a-f]{12}$/) },
  });
  const line = `policy: acme 1.4.0, hash ${plain.hash}\n`;
  expect((await runProgram(outfile, ["--version"], { cwd: work, env })).stdout).toBe(`${version}\n${line}`);
  for (const command of ["list", "status", "doctor"])
    expect((await runProgram(outfile, [command], { cwd: work, env })).stdout).toStartWith(line);

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

test("build rejects an invalid policy version", async () => {
  const { code, stderr } = await runProgram(executable, ["build", "--policy-version", "1 4"], {
    cwd: createFolder(FILES),
  });
  expect([code, stderr]).toEqual([
    1,
    "bridge-hooks: --policy-version must be letters and digits separated by . - + or _, such as 1.4.0\n",
  ]);
});
