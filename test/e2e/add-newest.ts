import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releases } from "./releases.ts";

// Adds each host's newest release to the locked ones, so that a run shows what has changed. Usage: bun --no-install
// test/e2e/add-newest.ts [HOST]...
const FOLDER = join(import.meta.dir, "releases");
const named = process.argv.slice(2);

function runNpm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8", timeout: 300_000 });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr.trim().split("\n").at(-1)}`);
  return stdout.trim();
}

const newest = [...Map.groupBy(releases, ({ host }) => host)].map(([, [...all]]) => all.at(-1));
let failed = false;
for (const release of newest) {
  if (!release || (named.length > 0 && !named.includes(release.host))) continue;
  const { host, version } = release;
  try {
    const manifest = JSON.parse(readFileSync(join(FOLDER, `${host}-${version}`, "package.json"), "utf8"));
    // Packages that exist only for some systems are optional dependencies.
    const kind = manifest.dependencies ? "dependencies" : "optionalDependencies";
    const [name = ""] = Object.keys(manifest[kind]);
    const latest = runNpm(["view", name, "version"], FOLDER);
    const folder = join(FOLDER, `${host}-${latest}`);
    if (existsSync(folder)) {
      console.log(`${host}: ${latest} is already locked`);
      continue;
    }
    mkdirSync(folder);
    try {
      const changed = { ...manifest, [kind]: { ...manifest[kind], [name]: latest } };
      writeFileSync(join(folder, "package.json"), `${JSON.stringify(changed, null, 2)}\n`);
      runNpm(["install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--ignore-scripts"], folder);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
    console.log(`${host}: ${latest} beside ${version}`);
  } catch (error) {
    failed = true;
    console.error(`${host}: ${(error as Error).message}`);
  }
}
process.exit(failed ? 1 : 0);
