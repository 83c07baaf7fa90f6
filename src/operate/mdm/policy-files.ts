import type { PackFile } from "../../protocol/host/pack.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import type { ModePolicy, StatedModes } from "../../policy/modes.ts";
import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import { CLIENT_SYSTEMS } from "./programs.ts";

/** The administrator's config file shipped with a pack. */
export interface ShippedConfig {
  bytes: Uint8Array;
  /** The client's `policy.parts.managed` once the file is installed. */
  hash: string | undefined;
  /** The modes that it sets, and who is told about them. */
  modes: StatedModes & Pick<ModePolicy, "announce">;
}

/** Builds the config file's copy for each system, with its target path. */
export const buildPolicyFiles = ({ bytes }: ShippedConfig): PackFile[] =>
  CLIENT_SYSTEMS.map((system) => {
    const target = getManagedConfig(NODE_PLATFORMS[system]);
    const owner = system === "windows" ? "Administrators" : "root";
    return {
      path: `policy/${system}/config.json`,
      text: "",
      bytes,
      target,
      deployment: `to \`${target}\`, which belongs to ${owner}; no other account may write there`,
      loadedSign: "`bridge-hooks config show --origin`",
      undo: "is deleted",
      os: [system],
      by: [],
    };
  });
