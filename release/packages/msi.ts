import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fetchPackages, runTool, UnavailableError } from "../debian-packages.ts";
import type { PlatformFiles, PutFile, Release } from "../release.ts";

/** Root directory that contains the Linux programs for building Windows Installer packages. */
export interface MsiTools {
  root: string;
}

const FAKETIME = "usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** Finds msitools and faketime, or downloads them from Debian. If neither works, returns the reason. */
export async function findMsiTools(): Promise<MsiTools | { missing: string }> {
  if (["usr/bin/wixl", "usr/bin/msibuild", FAKETIME].every((file) => existsSync(join("/", file)))) return { root: "/" };
  try {
    return { root: await fetchPackages("msi", { architecture: "amd64", packages: ["faketime", "msitools", "wixl"] }) };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { missing: error.message };
  }
}

/**
 * Builds a command that runs a tool with the clock fixed at the release's timestamp: packages record when they were
 * created.
 */
export function msiCommand({ root }: MsiTools, time: number, program: string, ...args: readonly string[]): string[] {
  const libraries = join(root, "usr/lib/x86_64-linux-gnu");
  return [
    "env",
    "TZ=UTC",
    `FAKETIME=${new Date(time * 1000).toISOString().slice(0, 19).replace("T", " ")}`,
    // Load the library by name, because LD_PRELOAD splits paths at spaces.
    `LD_PRELOAD=${basename(FAKETIME)}`,
    `LD_LIBRARY_PATH=${libraries}:${join(root, dirname(FAKETIME))}`,
    `XDG_DATA_DIRS=${join(root, "usr/share")}`,
    join(root, "usr/bin", program),
    ...args,
  ];
}

const NAMESPACE = Bun.randomUUIDv5("bridge-hooks msi", "dns");
/** Derives a UUID from words. The same words always give the same UUID, so Windows recognizes a rebuilt package. */
const deriveId = (...words: readonly string[]): string => Bun.randomUUIDv5(words.join(" "), NAMESPACE).toUpperCase();

/** Returns the product code for `msiexec /x`. */
export const findProductCode = ({ version }: Pick<Release, "version">, arch: string): string =>
  `{${deriveId("product", version, arch)}}`;

const TEMPLATES = { x64: "x64;1033", arm64: "Arm64;1033" } as const;
const MANUFACTURER = "bridge-hooks maintainers";

/**
 * Adds a platform's Windows Installer package. It installs the executable for all users, in the directory that `mdm`
 * expects.
 */
export async function addMsiPackage(
  release: Release,
  { arch, executable, sha256 }: PlatformFiles,
  tools: MsiTools,
  put: PutFile,
): Promise<void> {
  const { name, version, time, texts } = release;
  const work = mkdtempSync(join(tmpdir(), "bridge-hooks-msi-"));
  try {
    const files = {
      "bridge-hooks.exe": executable,
      "LICENSE.txt": texts.license,
      "THIRD-PARTY-NOTICES.txt": texts.notices,
    };
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(join(work, file), content);
      utimesSync(join(work, file), time, time);
    }
    const [source, packageFile] = [join(work, "package.wxs"), join(work, "package.msi")];
    writeFileSync(source, formatSource(release, arch, Object.keys(files)));
    mkdirSync(join(work, "tmp"));
    // wixl's -a option doesn't support ARM; the package's platform is set with msibuild below. wixl requires paths
    // relative to its working directory.
    const wixl = msiCommand(tools, time, "wixl", "-a", "x64", "-o", packageFile, source);
    await runTool(["env", "-C", work, `TMPDIR=${join(work, "tmp")}`, ...wixl]);
    const id = `{${deriveId("package", version, arch, sha256)}}`;
    await runTool(msiCommand(tools, time, "msibuild", packageFile, "-s", name, MANUFACTURER, TEMPLATES[arch], id));
    put(`${name}-${version}-windows-${arch}.msi`, readFileSync(packageFile));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const xml = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);

/**
 * Formats the package's WiX source. Installing a different version replaces the installed version.
 * https://learn.microsoft.com/windows/win32/msi/major-upgrades
 */
function formatSource(
  { name, version, description }: Release,
  arch: keyof typeof TEMPLATES,
  files: readonly string[],
): string {
  const [number] = version.split(/[-+]/);
  const components = files.map(
    (file, at) =>
      `          <Component Id="Component${at}" Guid="${deriveId("component", file, arch)}" Win64="yes">
            <File Id="File${at}" Name="${file}" Source="${file}" KeyPath="yes" />
          </Component>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="${findProductCode({ version }, arch).slice(1, -1)}" Name="${name}" Language="1033" Version="${number}"
    Manufacturer="${MANUFACTURER}" UpgradeCode="${deriveId("upgrade")}">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine" Manufacturer="${MANUFACTURER}"
      Description="${xml(description)}" />
    <MajorUpgrade DowngradeErrorMessage="A newer bridge-hooks is installed. Remove it first to go back to ${version}." />
    <Media Id="1" Cabinet="program.cab" EmbedCab="yes" />
    <Property Id="ARPNOMODIFY" Value="1" />
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="ProgramFiles64Folder">
        <Directory Id="INSTALLDIR" Name="bridge-hooks">
${components.join("\n")}
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="Complete" Level="1">
${files.map((_, at) => `      <ComponentRef Id="Component${at}" />`).join("\n")}
    </Feature>
  </Product>
</Wix>
`;
}
