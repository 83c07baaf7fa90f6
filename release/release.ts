import type { BuildTarget } from "../src/operate/executable/image.ts";

/** What all files of a release have in common. */
export interface Release {
  name: string;
  version: string;
  description: string;
  license: string;
  /** The commit that it was built from; undefined for a build of changed files. */
  commit: string | undefined;
  /** The time that its files have, in seconds since 1970: the commit's, or SOURCE_DATE_EPOCH. */
  time: number;
  /** Where its files can be downloaded, without a slash at the end; undefined while nobody knows. */
  url: string | undefined;
  /** The same for any version: {version} stands for it. */
  urlTemplate: string | undefined;
  /** The public key as OpenSSL reads it; undefined for an unsigned release. */
  publicKey: string | undefined;
  /** Texts that every package carries. */
  texts: { license: string; readme: string; notices: string };
}

export const OPERATING_SYSTEMS = ["linux", "darwin", "windows"] as const;

/** A platform that a release has files for. */
export interface Platform {
  target: BuildTarget;
  /** As in file names: `linux-x64-musl`. */
  name: string;
  os: (typeof OPERATING_SYSTEMS)[number];
  arch: "x64" | "arm64";
  musl: boolean;
  /** Whether it is another name for the same bytes. */
  baseline: boolean;
  /** The executable's file name. */
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

/** Files of a release that exist already: their hashes, by path. */
export type Digests = ReadonlyMap<string, string>;

/** Adds a file to the release. */
export type PutFile = (path: string, content: Uint8Array | string, mode?: number) => void;

export const computeSha256 = (content: Uint8Array | string): string =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");

/** The name of a platform's archive, without its extension. */
export const archiveName = ({ name, version }: Release, platform: Pick<Platform, "name">): string =>
  `${name}-${version}-${platform.name}`;

/** The archive that install scripts and package managers download. */
export const mainArchive = (release: Release, platform: Pick<Platform, "name" | "os">): string =>
  `${archiveName(release, platform)}.${platform.os === "windows" ? "zip" : "tar.gz"}`;
