import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { isInside, runIsolated } from "../e2e/isolate.ts";
import { installRelease, type Release, releases } from "../e2e/releases.ts";
import { prepareMachine } from "../platforms/platform.ts";
import { findReleases, FLEET_FOLDER, makeReleases } from "./packages.ts";
import { tryLinuxFleet } from "./linux.ts";
import { FleetReport } from "./report.ts";
import { tryWindowsFleet } from "./windows.ts";

const USAGE = `Usage: npm run fleet -- [--system linux|windows]...

Does what an administrator does, with packages of this release and the next one: installs, deploys the managed config,
upgrades, downgrades and removes. On Linux, this runs offline in a separate root with the real Claude Code. The Windows
package runs under Wine. Steps that this machine doesn't support are skipped and listed in the last line.`;

const SYSTEMS = ["linux", "windows"];
const options = (() => {
  try {
    const { values } = parseArgs({
      options: {
        system: { type: "string", multiple: true, default: SYSTEMS },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const unknown = values.system.find((name) => !SYSTEMS.includes(name));
    if (unknown !== undefined) throw new Error(`unknown system "${unknown}"`);
    return values;
  } catch (error) {
    console.error(`fleet: ${(error as Error).message}; see npm run fleet -- --help`);
    process.exit(2);
  }
})();
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
if (process.platform !== "linux" || process.arch !== "x64") {
  console.error("fleet: supported only on Linux on x64");
  process.exit(1);
}
const host = releases.filter((one) => one.host === "claude").at(-1);
if (!host) throw new Error("no release of the host is locked");
const wants = (system: string) => options.system.includes(system);

/** Performs all the steps that need the network. */
async function prepare(release: Release): Promise<void> {
  if (wants("linux")) {
    installRelease(release);
    await makeReleases("linux-x64");
  }
  if (wants("windows")) {
    await makeReleases("windows-x64");
    await (await prepareMachine("bun-windows-x64").catch(() => undefined))?.end?.();
  }
}

try {
  if (!isInside()) await prepare(host);
  const { mounts } = await runIsolated();
  const report = new FleetReport();
  if (wants("linux"))
    if (mounts) await tryLinuxFleet(findReleases("linux-x64"), host, report);
    else report.skip("Linux", "this machine does not allow namespaces");
  if (wants("windows")) await tryWindowsFleet(findReleases("windows-x64"), report);
  rmSync(FLEET_FOLDER, { recursive: true, force: true });
  console.log(report.format());
  process.exit(report.failed > 0 ? 1 : 0);
} catch (error) {
  console.error(`fleet: ${(error as Error).message}`);
  process.exit(1);
}
