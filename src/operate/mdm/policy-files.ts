import type { PackFile } from "../../protocol/host/pack.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";

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
