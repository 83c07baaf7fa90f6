import { type ArchiveFile, compressGzip, compressZstd, createTar, createZip } from "./archive.ts";
import { archiveName, type PlatformFiles, type PutFile, type Release } from "./release.ts";

/** Lists the text files that accompany the executable in archives and packages. */
export const listTextFiles = ({ texts }: Release): ArchiveFile[] => [
  { path: "LICENSE", content: texts.license },
  { path: "README.md", content: texts.readme },
  { path: "THIRD-PARTY-NOTICES.txt", content: texts.notices },
];

/** Adds a platform's archives, for installing without a package manager. */
export function addArchives(
  release: Release,
  platform: PlatformFiles,
  extraFiles: readonly ArchiveFile[],
  put: PutFile,
): void {
  const folder = archiveName(release, platform);
  const files = [
    { path: platform.program, content: platform.executable, mode: 0o755 },
    ...listTextFiles(release),
    ...extraFiles,
  ].map((file) => ({ ...file, path: `${folder}/${file.path}` }));
  if (platform.os === "windows") return put(`${folder}.zip`, createZip(files, release));
  const tar = createTar(files, release);
  put(`${folder}.tar.gz`, compressGzip(tar));
  put(`${folder}.tar.zst`, compressZstd(tar));
}
