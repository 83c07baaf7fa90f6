import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import pkg from "../../../package.json" with { type: "json" };
import type { PackFile } from "../../protocol/host/pack.ts";
import { formatJsonFile } from "../../hosts/setup/pack.ts";
import { checkPackPath, hashBytes, MANIFEST_FILE } from "./pack.ts";
import { listClientFiles } from "./placed-files.ts";
import { CLIENT_SYSTEMS, type ClientSystem, type ProgramPaths } from "./programs.ts";

const text = v.string();
const Manifest = v.object({
  version: text,
  programs: v.object({ linux: text, macos: text, windows: text }),
  files: v.array(v.object({ host: text, system: v.picklist(CLIENT_SYSTEMS), path: text, target: text, sha256: text })),
});

/** The executable and the files that a pack places on a client. */
export interface InstalledPack {
  /** Version of the executable. */
  version: string;
  program: string;
  files: readonly { host: string; path: string; target: string; bytes: Uint8Array }[];
}

/** Builds the manifest, which lists the files to place. `mdm --check --pack` reads the manifest. */
export function buildManifest(programs: ProgramPaths, files: readonly PackFile[]): PackFile {
  const entries = CLIENT_SYSTEMS.flatMap((system) =>
    listClientFiles(files, system).map(({ host, path, target, sha256 }) => ({ host, system, path, target, sha256 })),
  );
  const manifest: v.InferOutput<typeof Manifest> = { version: pkg.version, programs, files: entries };
  return { path: MANIFEST_FILE, text: formatJsonFile(manifest), deployment: "", os: CLIENT_SYSTEMS, by: [] };
}

/**
 * Reads the files that a pack places on a system.
 * @throws Error if the directory isn't a pack, or if a file in the pack was changed.
 */
export function readInstalledPack(dir: string, system: ClientSystem): InstalledPack {
  const read = (path: string) => {
    try {
      return readFileSync(join(dir, path));
    } catch (error) {
      throw new Error(
        `--pack ${dir}: ${path} can't be read (${(error as NodeJS.ErrnoException).code}); pass a directory written by bridge-hooks mdm`,
      );
    }
  };
  const manifest = v.safeParse(Manifest, parseJson(read(MANIFEST_FILE).toString("utf8")));
  if (!manifest.success)
    throw new Error(`--pack ${dir}: ${MANIFEST_FILE} was not written by bridge-hooks mdm; create the pack again`);
  const { version, programs, files } = manifest.output;
  const systemFiles = files.filter((file) => file.system === system);
  return {
    version,
    program: programs[system],
    files: systemFiles.map(({ host, path, target, sha256 }) => {
      const bytes = read(checkPackPath(path));
      if (hashBytes(bytes) !== sha256)
        throw new Error(`--pack ${dir}: ${path} was changed after bridge-hooks mdm wrote it; create the pack again`);
      return { host, path, target, bytes };
    }),
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
