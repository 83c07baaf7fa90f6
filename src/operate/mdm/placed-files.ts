import { posix, win32 } from "node:path";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import type { PackFile } from "../../protocol/host/pack.ts";
import { encodeFile, hashBytes } from "./pack.ts";
import type { ClientSystem } from "./programs.ts";

/** A file that a pack places on a client. */
export interface PlacedFile {
  /** The host that reads it, or `bridge-hooks`. */
  host: string;
  /** Path inside the pack. */
  path: string;
  target: string;
  bytes: Uint8Array;
  sha256: string;
}

/** The name of the bridge itself where a host is named. */
export const OWN_NAME = "bridge-hooks";

/** Lists what a pack places on a system. */
export const listPlacedFiles = (files: readonly PackFile[], system: ClientSystem): PlacedFile[] =>
  files.flatMap((file) => {
    const { path, target, host = OWN_NAME, os } = file;
    if (target === undefined || !os.includes(system)) return [];
    const bytes = encodeFile(file);
    return [{ host, path, target, bytes, sha256: hashBytes(bytes) }];
  });

/** Where the tools of a pack record on a client what they placed: a hash and a path on each line. */
export function getRecordPath(system: ClientSystem): string {
  const { dirname, join } = system === "windows" ? win32 : posix;
  return join(dirname(getManagedConfig(NODE_PLATFORMS[system])), "placed.sha256");
}
