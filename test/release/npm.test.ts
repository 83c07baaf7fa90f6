import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { detectTarget } from "../../src/operate/executable/image.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { ROOT } from "../support/fixtures.ts";
import { startRegistry } from "./registry.ts";
import { makeFolder, makeSmallRelease, run } from "./support.ts";

const here = detectTarget().slice("bun-".length);
// A package for another platform, which isn't installed here.
const other = here.startsWith("windows") ? "linux-x64" : "windows-x64";
const { folder } = await makeSmallRelease([here, other]);
const tarballs = readdirSync(join(folder, "npm"));
const registry = startRegistry();
afterAll(registry.stop);

const home = makeFolder();
const settings = join(home, ".npmrc");
writeFileSync(
  settings,
  `registry=${registry.url}\n//${registry.host}/:_authToken=made-up\naudit=false\nfund=false\nupdate-notifier=false\n`,
);
const env = {
  HOME: home,
  npm_config_userconfig: settings,
  npm_config_cache: join(home, "cache"),
  npm_config_registry: registry.url,
  NPM_CONFIG_REGISTRY: registry.url,
  BUN_INSTALL_CACHE_DIR: join(home, "bun"),
};

function makeProject(): string {
  const project = makeFolder();
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  return project;
}

const published = Promise.all(
  tarballs.map((name) => run(["npm", "publish", join(folder, "npm", name), "--access", "public"], { cwd: home, env })),
);

test("npm publishes the packages", async () => {
  expect(tarballs.length).toBe(3);
  for (const { exit_code, stderr } of await published) expect([exit_code, stderr]).toEqual([0, expect.any(String)]);
});

const PNPM = join(ROOT, "node_modules/pnpm/bin/pnpm.cjs");
/** Commands of each package manager. */
const MANAGERS: Record<string, { add: string[]; runs: string[] }> = {
  npm: { add: ["npm", "install", "bridge-hooks"], runs: ["npm", "exec", "--", "bridge-hooks"] },
  pnpm: { add: ["node", PNPM, "add", "bridge-hooks"], runs: ["node", PNPM, "exec", "bridge-hooks"] },
  bun: { add: [process.execPath, "add", "bridge-hooks"], runs: [process.execPath, "run", "bridge-hooks"] },
};

for (const [name, { add, runs }] of Object.entries(MANAGERS)) {
  const there = findProgram(add[0] ?? "") !== undefined && (add[1] !== PNPM || existsSync(PNPM));
  test.skipIf(!there)(
    `${name} installs the package and runs its executable${there ? "" : ` (not run: there is no ${name})`}`,
    async () => {
      await published;
      const project = makeProject();
      const installed = await run(add, { cwd: project, env });
      expect([installed.exit_code, installed.stderr]).toEqual([0, expect.any(String)]);
      const version = await run([...runs, "--version"], { cwd: project, env });
      expect([version.exit_code, version.stdout]).toEqual([0, "0.1.0\n"]);
      const denied = await run([join(project, "node_modules/.bin/bridge-hooks"), "a call", "of two words"], {
        cwd: project,
        env,
      });
      expect([denied.exit_code, denied.stderr]).toEqual([2, "denied a call of two words\n"]);
      const echoed = await run([join(project, "node_modules/.bin/bridge-hooks"), "copy"], {
        cwd: project,
        env,
        stdin: "größer\n",
      });
      expect(echoed.stdout).toBe("größer\n");
      if (name === "npm")
        expect(readdirSync(join(project, "node_modules/@bridge-hooks"))).toEqual([here.replace("windows", "win32")]);
    },
  );
}

test("npx runs the executable without installing the package", async () => {
  await published;
  const { exit_code, stdout } = await run(["npx", "--yes", "bridge-hooks", "--version"], { cwd: makeFolder(), env });
  expect([exit_code, stdout]).toEqual([0, "0.1.0\n"]);
});

describe("the npm package without its platform's executable", () => {
  const project = makeProject();
  test("suggests what to do, and blocks with --on-error deny", async () => {
    await published;
    await run(["npm", "install", "bridge-hooks", "--omit=optional"], { cwd: project, env });
    const call = (...args: string[]) =>
      run([join(project, "node_modules/.bin/bridge-hooks"), ...args], { cwd: project, env });
    const { exit_code, stderr } = await call("--version");
    expect([exit_code, stderr.trim().split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(
          /^bridge-hooks: the package @bridge-hooks\/\S+ is not installed; install bridge-hooks again without leaving out optional/,
        ),
      ],
    ]);
    expect((await call("--host", "x", "--on-error", "deny")).exit_code).toBe(2);
  });
});

describe("the npm package for authors", () => {
  const project = makeProject();
  const unpacked = join(project, "node_modules/bridge-hooks");
  mkdirSync(unpacked, { recursive: true });
  // The declarations depend on these packages, which are optional peer dependencies.
  for (const name of ["@types", "undici-types"])
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name));
  const tarball = tarballs.find((name) => name === "bridge-hooks-0.1.0.tgz") ?? "";
  writeFileSync(
    join(project, "hook.ts"),
    `import { commands, defineHook, deny } from "bridge-hooks";
import { simulate } from "bridge-hooks/testing";
const hook = defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler: (event) => (commands(event).some(({ program }) => program === "npm") ? deny("no") : undefined),
});
// @ts-expect-error: a response is not a number
defineHook({ event: "Stop", handler: () => 1 });
export default hook;
export const result = simulate(hook, { event: "PreToolUse", tool: "Bash", input: { command: "npm publish" } });
`,
  );

  test("has types that accept a valid hook and reject an invalid one", async () => {
    expect(
      (await run(["tar", "-xzf", join(folder, "npm", tarball), "--strip-components=1", "-C", unpacked])).exit_code,
    ).toBe(0);
    const options = [
      "--module",
      "NodeNext",
      "--strict",
      "--noEmit",
      "--skipLibCheck",
      "--target",
      "ESNext",
      "--lib",
      "ESNext",
    ];
    const tsc = [
      process.execPath,
      join(ROOT, "node_modules/typescript/bin/tsc"),
      ...options,
      "--types",
      "node",
      "hook.ts",
    ];
    const { exit_code, stdout } = await run(tsc, { cwd: project });
    expect([exit_code, stdout]).toEqual([0, ""]);
  });

  test("runs a hook in Bun, and reports in Node how to run it", async () => {
    const program = `import { result } from "./hook.ts"; console.log((await result).decision);`;
    const { stdout, stderr } = await run([process.execPath, "-e", program], { cwd: project });
    expect([stdout, stderr]).toEqual(["deny\n", ""]);
    const node = await run(["node", "--input-type=module", "-e", `import { deny } from "bridge-hooks"`], {
      cwd: project,
    });
    expect(node.stderr).toContain("bridge-hooks runs in the bridge-hooks executable and in Bun, not in Node");
  });
});

test("publint finds no problem in the packages", async () => {
  for (const name of tarballs) {
    const { exit_code, stdout } = await run(
      ["node", join(ROOT, "node_modules/publint/src/cli.js"), "--strict", join(folder, "npm", name)],
      { cwd: ROOT },
    );
    expect([name, exit_code, stdout]).toEqual([name, 0, expect.stringContaining("All good!")]);
  }
});
