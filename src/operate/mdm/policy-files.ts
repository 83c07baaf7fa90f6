import type { PackFile } from "../../protocol/host/pack.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import type { ModePolicy, DeclaredModes } from "../../policy/modes.ts";
import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import { CLIENT_SYSTEMS } from "./programs.ts";

/** The managed config file in a pack. */
export interface ShippedConfig {
  bytes: Uint8Array;
  /** Hash of the file, as a client reports it in `policy.parts.managed` after installation. */
  hash: string | undefined;
  /** Modes and recipients of the session-start message, as set in the file. */
  modes: DeclaredModes & Pick<ModePolicy, "announce">;
}

/** Builds one copy of the config file per system, each with its target path. */
export const buildPolicyFiles = ({ bytes }: ShippedConfig): PackFile[] =>
  CLIENT_SYSTEMS.map((system) => {
    const target = getManagedConfig(NODE_PLATFORMS[system]);
    const owner = system === "windows" ? "Administrators" : "root";
    return {
      path: `policy/${system}/config.json`,
      text: "",
      bytes,
      target,
      deployment: `copy it to \`${target}\`; the file must belong to ${owner}, and other accounts must not have write access`,
      loadedSign: "`bridge-hooks config show --origin`",
      undo: "delete it",
      os: [system],
      by: [],
    };
  });
