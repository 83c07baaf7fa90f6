import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { UnavailableError } from "../../release/debian-packages.ts";
import { prepareMachine } from "../platforms/platform.ts";
import type { Version } from "./packages.ts";
import type { FleetReport } from "./report.ts";

const INSTALLER = "C:\\windows\\system32\\msiexec.exe";
const PROGRAM = "C:\\Program Files\\bridge-hooks\\bridge-hooks.exe";
/** Windows Installer's error 1603, of which an exit code on Linux keeps only eight bits. */
const FAILED = 1603 & 0xff;
const CALL = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: "C:\\",
  tool_name: "Bash",
  tool_input: { command: "git push --force origin main" },
});

/**
 * Tests the MSI package with Wine's own installer: installation, a call, an upgrade, a rejected downgrade, and removal.
 */
export async function tryWindowsFleet(packages: Record<Version, string>, report: FleetReport): Promise<void> {
  const machine = await prepareMachine("bun-windows-x64").catch((error: unknown) => {
    if (error instanceof UnavailableError) return error;
    throw error;
  });
  if (machine instanceof UnavailableError) return report.skip("Windows", machine.message);
  try {
    const drive = (machine.home ?? "").replace(/\/users\/.*$/, "");
    const run = (argv: readonly string[], input = "") => {
      const [program = "", ...args] = machine.wrap(argv, {});
      return spawnSync(program, args, { cwd: drive, input, encoding: "utf8", timeout: 120_000 });
    };
    const install = (way: "/i" | "/x", version: Version) =>
      run([INSTALLER, way, `C:\\${version}.msi`, "/qn", "/norestart"]).status;
    const ended = (code: number | null, wanted = 0) => code !== wanted && `exited with code ${code}`;
    const isVersion = (version: Version) => {
      const { stdout } = run([PROGRAM, "--version"]);
      return stdout.split(/\r?\n/)[0] !== version && `the result is ${stdout.trim() || "missing"}`;
    };
    for (const [version, folder] of Object.entries(packages))
      cpSync(join(folder, `bridge-hooks-${version}-windows-x64.msi`), join(drive, `${version}.msi`));

    const started = performance.now();
    report.check("the .msi is installed", ended(install("/i", "0.1.0")) || isVersion("0.1.0"));
    const flags = ["--host", "claude", "--event", "PreToolUse", "--on-error", "deny"];
    report.check("the executable denies a call", ended(run([PROGRAM, ...flags], CALL).status, 2));
    console.log(
      `        ${((performance.now() - started) / 1000).toFixed(1)} s from the package to the first denied call`,
    );
    report.check("a newer package replaces it", ended(install("/i", "0.2.0")) || isVersion("0.2.0"));
    report.check(
      "installing an older package over it is refused",
      ended(install("/i", "0.1.0"), FAILED) || isVersion("0.2.0"),
    );
    report.check(
      "it is removed, and no files remain",
      ended(install("/x", "0.2.0")) ||
        (existsSync(join(drive, "Program Files/bridge-hooks")) && "its directory remains"),
    );
    report.check("then the older package is installed", ended(install("/i", "0.1.0")) || isVersion("0.1.0"));
  } finally {
    await machine.end?.();
  }
}
