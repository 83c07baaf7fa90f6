import { readFileSync } from "node:fs";
import { basename } from "node:path";
import pkg from "../../../package.json" with { type: "json" };
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";

type ClientSystem = PackFile["os"][number];

/**
 * Silent install and uninstall commands for a package type. FILE stands for the package file, and OLD for an older one.
 */
interface PackageKind {
  ending: string;
  os: ClientSystem;
  /** Name of the package file in a release. */
  name: string;
  install: string;
  remove: string;
  /** Command that replaces a version with an older one. */
  downgrade: string;
  /** Instructions for deploying the package with each MDM. */
  by: string;
}

const PACKAGE_KINDS: readonly PackageKind[] = [
  {
    ending: ".deb",
    os: "linux",
    name: `bridge-hooks_${pkg.version}_amd64.deb`,
    install: "DEBIAN_FRONTEND=noninteractive apt-get install -y ./FILE",
    remove: "DEBIAN_FRONTEND=noninteractive apt-get purge -y bridge-hooks",
    downgrade: "DEBIAN_FRONTEND=noninteractive apt-get install -y --allow-downgrades ./OLD",
    by: "configuration management, or your own package repository",
  },
  {
    ending: ".rpm",
    os: "linux",
    name: `bridge-hooks-${pkg.version}-1.x86_64.rpm`,
    install: "rpm --upgrade FILE",
    remove: "rpm --erase bridge-hooks",
    downgrade: "rpm --upgrade --oldpackage OLD",
    by: "configuration management, or your own package repository",
  },
  {
    ending: ".pkg",
    os: "macos",
    name: `bridge-hooks-${pkg.version}-macos-arm64.pkg`,
    install: "installer -pkg FILE -target /",
    remove: "rm -rf /opt/bridge-hooks /etc/paths.d/bridge-hooks; pkgutil --forget bridge-hooks",
    downgrade: "installer -pkg OLD -target /",
    by: "Jamf: a policy with the package, and the removal command under Files and Processes. Intune: a macOS app (PKG), and a shell script for the removal. Kandji: a custom app (installer package), and a custom script for the removal",
  },
  {
    ending: ".msi",
    os: "windows",
    name: `bridge-hooks-${pkg.version}-windows-x64.msi`,
    install: "msiexec /i FILE /qn /norestart",
    remove: "msiexec /x FILE /qn /norestart",
    downgrade: "msiexec /x FILE /qn /norestart && msiexec /i OLD /qn /norestart",
    by: "Intune: a line-of-business app, or a Win32 app with the two commands",
  },
];

const INSTALL_COMMANDS: Readonly<Record<ClientSystem, string>> = {
  linux: "sh place.sh",
  macos: "sh place.sh",
  windows: "powershell -ExecutionPolicy Bypass -File place.ps1",
};

/**
 * Reads the packages to include in a pack.
 * @param programs paths at which the entries call the executable
 * @param places paths at which the packages install the executable
 * @throws Error for a file that isn't a package, or if the entries call the executable at another path.
 */
export function readPackages(
  files: readonly string[],
  programs: PackSpec["programs"],
  places: PackSpec["programs"],
): PackFile[] {
  return files.map((file) => {
    const kind = PACKAGE_KINDS.find(({ ending }) => file.toLowerCase().endsWith(ending));
    if (!kind)
      throw new Error(
        `--package ${file}: not a ${PACKAGE_KINDS.map(({ ending }) => ending).join(", ")}; pass a package from a release`,
      );
    if (programs[kind.os] !== places[kind.os])
      throw new Error(
        `--package ${file} installs to ${places[kind.os]}, but --bin-path is ${programs[kind.os]}; omit one of the two options`,
      );
    try {
      return {
        path: `executable/${kind.os}/${basename(file)}`,
        text: "",
        bytes: readFileSync(file),
        deployment: `\`${kind.install.replace("FILE", basename(file))}\``,
        undo: `\`${kind.remove.replace("FILE", basename(file))}\``,
        os: [kind.os],
        by: [],
      };
    } catch (error) {
      throw new Error(`--package ${file} can't be read (${(error as NodeJS.ErrnoException).code})`);
    }
  });
}

export interface InstallLine {
  system: ClientSystem;
  item: string;
  install: string;
  remove: string;
  downgrade: string;
  by: string;
}

/** Lists the commands that install each package type, or a plain executable, without prompting. */
export function listInstallLines(packages: readonly PackFile[]): InstallLine[] {
  const lines = PACKAGE_KINDS.flatMap(({ ending, os, name, install, remove, downgrade, by }): InstallLine[] => {
    const names = packages.map(({ path }) => basename(path)).filter((file) => file.toLowerCase().endsWith(ending));
    return (names.length > 0 ? names : [name]).map((file) => ({
      system: os,
      item: file,
      install: install.replace("FILE", file),
      remove: remove.replace("FILE", file),
      downgrade: downgrade.replace("FILE", file),
      by,
    }));
  });
  const plain = Object.entries(INSTALL_COMMANDS).map(([system, script]) => ({
    system: system as ClientSystem,
    item: "the plain executable",
    install: `${script} add FILE`,
    remove: `${script} remove`,
    downgrade: `${script} use VERSION`,
    by: "a script that runs as root or SYSTEM, an image, or configuration management",
  }));
  return [...lines, ...plain];
}
