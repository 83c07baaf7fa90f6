import { readFileSync } from "node:fs";
import type { PackFile } from "../../protocol/host/install.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { checkConfigFiles } from "../config/check.ts";
import { formatCheckReport } from "../config/check-text.ts";
import type { HookSet } from "../find-hooks.ts";
import { identifyPolicy } from "../../operate/policy/identity.ts";

type ClientSystem = PackFile["os"][number];

export const PLATFORMS = { linux: "linux", macos: "darwin", windows: "win32" } as const satisfies Record<
  ClientSystem,
  NodeJS.Platform
>;

/** The administrators' config file that goes with a pack. */
export interface ShippedConfig {
  bytes: Uint8Array;
  /** `policy.parts.managed` of a client that has it. */
  hash: string | undefined;
}

/**
 * Reads a managed config file, and checks it as `config check` does.
 * @throws Error with what is wrong in it.
 */
export async function readShippedConfig(file: string, hooks: HookSet): Promise<ShippedConfig> {
  const report = await checkConfigFiles([file], "managed", hooks, process.cwd());
  if (!report.ok)
    throw new Error(
      `--config ${file} is wrong, and nothing was written:\n${formatCheckReport(report, (_, text) => text)}`,
    );
  const { parts } = await identifyPolicy({}, process.cwd(), [{ scope: "managed", path: file }]);
  return { bytes: readFileSync(file), hash: parts?.managed };
}

/** The config file, for each system where it is looked for there. */
export const buildPolicyFiles = ({ bytes }: ShippedConfig): PackFile[] =>
  (Object.keys(PLATFORMS) as ClientSystem[]).map((system) => ({
    path: `policy/${system}/config.json`,
    text: "",
    bytes,
    goes: `to \`${getManagedConfig(PLATFORMS[system])}\`, which belongs to ${system === "windows" ? "Administrators" : "root"}; nobody else may write there`,
    shown: "`bridge-hooks config show --origin`",
    undo: "is deleted",
    os: [system],
    by: [],
  }));
