import { posix, win32 } from "node:path";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import type { PackFile } from "../../protocol/host/pack.ts";
import { encodeFile, hashBytes } from "./pack.ts";
import type { ClientSystem } from "./programs.ts";

/** A file that a pack places on a client. */
export interface ClientFile {
  /** ID of the host that reads the file, or `bridge-hooks`. */
  host: string;
  /** Path inside the pack. */
  path: string;
  target: string;
  bytes: Uint8Array;
  sha256: string;
}

/** ID that stands for bridge-hooks itself where a host ID is expected. */
export const OWN_NAME = "bridge-hooks";

/** Lists the files that a pack places on a system. */
export const listClientFiles = (files: readonly PackFile[], system: ClientSystem): ClientFile[] =>
  files.flatMap((file) => {
    const { path, target, host = OWN_NAME, os } = file;
    if (target === undefined || !os.includes(system)) return [];
    const bytes = encodeFile(file);
    return [{ host, path, target, bytes, sha256: hashBytes(bytes) }];
  });

/** Returns the path of the record of placed files on a client. Each line of the record contains a hash and a path. */
export function getRecordPath(system: ClientSystem): string {
  const { dirname, join } = system === "windows" ? win32 : posix;
  return join(dirname(getManagedConfig(NODE_PLATFORMS[system])), "placed.sha256");
}
