import type { BuildTarget } from "../src/operate/executable/image.ts";

/** Properties shared by all files of a release. */
export interface Release {
  name: string;
  version: string;
  description: string;
  license: string;
  /** Source commit; undefined if the working tree had uncommitted changes. */
  commit: string | undefined;
  /** Timestamp of all files, in seconds since the epoch: SOURCE_DATE_EPOCH or the time of the commit. */
  time: number;
  /** Download URL of the release's files, without a trailing slash; undefined if not known yet. */
  url: string | undefined;
  /** Download URL for any version, with {version} as a placeholder. */
  urlTemplate: string | undefined;
  /** Public key in PEM format; undefined for an unsigned release. */
  publicKey: string | undefined;
  /** Text files included in every package. */
  texts: { license: string; readme: string; notices: string };
}

export const OPERATING_SYSTEMS = ["linux", "darwin", "windows"] as const;

/** A platform supported by a release. */
export interface Platform {
  target: BuildTarget;
  /** Name used in file names: `linux-x64-musl`. */
  name: string;
  os: (typeof OPERATING_SYSTEMS)[number];
  arch: "x64" | "arm64";
  musl: boolean;
  /** Whether the platform is an alias for one whose executable has the same bytes. */
  baseline: boolean;
  /** File name of the executable. */
  program: string;
}

export function describePlatform(target: BuildTarget): Platform {
  const name = target.slice("bun-".length);
  const [os, arch] = name.split("-") as [Platform["os"], Platform["arch"]];
  const [musl, baseline] = [name.endsWith("-musl"), name.endsWith("-baseline")];
  return { target, name, os, arch, musl, baseline, program: os === "windows" ? "bridge-hooks.exe" : "bridge-hooks" };
}

/** A platform with its executable. */
export interface PlatformFiles extends Platform {
  executable: Uint8Array;
  sha256: string;
}

/** Hashes of the files added to the release so far, by path. */
export type Digests = ReadonlyMap<string, string>;

/** Adds a file to the release. */
export type PutFile = (path: string, content: Uint8Array | string, mode?: number) => void;

export const computeSha256 = (content: Uint8Array | string): string =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");

/** Returns the name of a platform's archive, without its extension. */
export const archiveName = ({ name, version }: Release, platform: Pick<Platform, "name">): string =>
  `${name}-${version}-${platform.name}`;

/** Returns the name of the archive that install scripts and package managers download. */
export const mainArchive = (release: Release, platform: Pick<Platform, "name" | "os">): string =>
  `${archiveName(release, platform)}.${platform.os === "windows" ? "zip" : "tar.gz"}`;
