import { NODE_PLATFORMS } from "../../hosts/setup/pack.ts";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";

export type ProgramPaths = PackSpec["programs"];
export type ClientSystem = PackFile["os"][number];

export const SYSTEM_NAMES: Record<ClientSystem, string> = { linux: "Linux", macos: "macOS", windows: "Windows" };
export const CLIENT_SYSTEMS = Object.keys(SYSTEM_NAMES) as ClientSystem[];

/** Returns the name that packs use for this machine's system. */
export const findClientSystem = (platform: NodeJS.Platform = process.platform): ClientSystem =>
  CLIENT_SYSTEMS.find((system) => NODE_PLATFORMS[system] === platform) ?? "linux";

/**
 * Default paths of the executable on clients. Even on macOS, the path is in /opt, because Homebrew on Intel Macs gives
 * a user write access to /usr/local. The paths contain no spaces, so no host requires quotes.
 */
export const DEFAULT_PROGRAM_PATHS: ProgramPaths = {
  linux: "/opt/bridge-hooks/bridge-hooks",
  macos: "/opt/bridge-hooks/bridge-hooks",
  windows: "C:\\Program Files\\bridge-hooks\\bridge-hooks.exe",
};

const isAbsolutePathOn = (path: string, system: ClientSystem) =>
  (system === "windows" ? /^([A-Za-z]:[\\/]|\\\\)/ : /^\//).test(path);

/**
 * Parses `--bin-path` values. A value is `SYSTEM=PATH`, or a PATH to use on every system where it is absolute.
 * @throws Error if a value isn't an absolute path on its system.
 */
export function parseProgramPaths(values: readonly string[]): ProgramPaths {
  const programs = { ...DEFAULT_PROGRAM_PATHS };
  for (const value of values) {
    const [, systemName, path = value] = /^(linux|macos|windows)=(.*)$/s.exec(value) ?? [];
    const systems = systemName
      ? [systemName as ClientSystem]
      : CLIENT_SYSTEMS.filter((system) => isAbsolutePathOn(path, system));
    if (systems.length === 0)
      throw new Error(
        `--bin-path ${value}: not an absolute path; pass one, or ${CLIENT_SYSTEMS.map((one) => `${one}=PATH`).join(", ")}`,
      );
    for (const system of systems) programs[system] = path;
  }
  checkProgramPaths(programs);
  return programs;
}

/**
 * Checks the paths of the executable on all systems.
 * @throws Error for a path that isn't absolute on its system, or that a config format can't represent.
 */
export function checkProgramPaths(programs: ProgramPaths): void {
  for (const system of CLIENT_SYSTEMS) {
    const path = programs[system];
    if (!isAbsolutePathOn(path, system))
      throw new Error(
        `${path} is not an absolute path on ${SYSTEM_NAMES[system]}; pass the executable's path on clients`,
      );
    // Some config formats can't represent these characters or would change them.
    if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(path))
      throw new Error(`${JSON.stringify(path)} contains a control character; use another path`);
  }
}
