import type { ArchiveFile } from "../archive.ts";
import { compressGzip } from "../archive.ts";
import type { PlatformFiles, Release } from "../release.ts";
import type { CommandDescription } from "./command-line.ts";
import { formatCompletions } from "./completions.ts";
import { formatManPage } from "./man-page.ts";

/**
 * Packages install to the directory where `mdm` expects the executable, so that they match the files an administrator
 * deploys.
 */
export const PROGRAM_FOLDER = "opt/bridge-hooks";
/** Machine-wide config directory, writable only by administrators. */
export const CONFIG_FOLDER = "etc/bridge-hooks";

/** Warning for administrators, shown before an installed executable is removed. */
export const REMOVAL_NOTE =
  "bridge-hooks: once this executable is removed, the host config entries that name it block calls; to remove the entries, run bridge-hooks uninstall first";

/** Lists the man page and completions to include in archives. */
export function listShellFiles(release: Release, commands: readonly CommandDescription[]): ArchiveFile[] {
  const { bash, zsh, fish } = formatCompletions(commands);
  return [
    { path: "man/bridge-hooks.1", content: formatManPage(release, commands) },
    { path: "completions/bridge-hooks.bash", content: bash },
    { path: "completions/_bridge-hooks", content: zsh },
    { path: "completions/bridge-hooks.fish", content: fish },
  ];
}

/**
 * Lists the files of a Linux package.
 *
 * @param zshFolder directory from which the distribution's zsh loads packaged completions.
 */
export function listPackageFiles(
  release: Release,
  { executable }: PlatformFiles,
  commands: readonly CommandDescription[],
  zshFolder: string,
): ArchiveFile[] {
  const { bash, zsh, fish } = formatCompletions(commands);
  const docs = "usr/share/doc/bridge-hooks";
  return [
    { path: `${PROGRAM_FOLDER}/bridge-hooks`, content: executable, mode: 0o755 },
    { path: "usr/bin/bridge-hooks", content: "", link: `/${PROGRAM_FOLDER}/bridge-hooks` },
    { path: "usr/share/bash-completion/completions/bridge-hooks", content: bash },
    { path: "usr/share/fish/vendor_completions.d/bridge-hooks.fish", content: fish },
    { path: `usr/share/zsh/${zshFolder}/_bridge-hooks`, content: zsh },
    {
      path: "usr/share/man/man1/bridge-hooks.1.gz",
      content: compressGzip(Buffer.from(formatManPage(release, commands))),
    },
    { path: `${docs}/README.md`, content: release.texts.readme },
    { path: `${docs}/THIRD-PARTY-NOTICES.txt`, content: release.texts.notices },
    { path: `${docs}/copyright`, content: release.texts.license },
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}
