import { archiveName, type Digests, mainArchive, type Platform, type PutFile, type Release } from "../release.ts";

interface Download extends Platform {
  url: string;
  sha256: string;
  /** Directory inside the archive that contains the executable. */
  folder: string;
}

/** Adds package manager manifests with the URLs and hashes of the release's archives. */
export function addChannelFiles(
  release: Release,
  platforms: readonly Platform[],
  digests: Digests,
  put: PutFile,
): void {
  const { url } = release;
  if (url === undefined) return;
  const downloads = platforms
    .filter(({ baseline }) => !baseline)
    .map((platform): Download => {
      const archive = mainArchive(release, platform);
      return {
        ...platform,
        url: `${url}/${archive}`,
        sha256: digests.get(archive) ?? "",
        folder: archiveName(release, platform),
      };
    });
  const find = (os: Platform["os"], arch: Platform["arch"]) =>
    downloads.find((one) => one.os === os && one.arch === arch && !one.musl);
  const homebrew = formatHomebrewFormula(release, find);
  if (homebrew !== undefined) put("channels/homebrew/bridge-hooks.rb", homebrew);
  const windows = downloads.filter(({ os }) => os === "windows");
  if (windows.length > 0) {
    put("channels/scoop/bridge-hooks.json", formatScoopManifest(release, windows));
    for (const [name, text] of formatWingetManifests(release, windows)) put(`channels/winget/${name}`, text);
  }
  put("channels/mise/mise.toml", formatMiseConfig(release, downloads));
  put("channels/aqua/registry.yaml", formatAquaRegistry(release, downloads));
}

type FindDownload = (os: Platform["os"], arch: Platform["arch"]) => Download | undefined;

const rubyString = (text: string): string => `"${text.replaceAll(/["\\#]/g, "\\$&")}"`;

/**
 * Formats a Homebrew formula (https://docs.brew.sh/Formula-Cookbook). Returns undefined if the release lacks a platform
 * that Homebrew supports.
 */
function formatHomebrewFormula(
  { version, description, license, url = "" }: Release,
  find: FindDownload,
): string | undefined {
  const systems = [
    ["on_macos", "darwin"],
    ["on_linux", "linux"],
  ] as const;
  const blocks = systems.map(([block, os]) => {
    const cases = (
      [
        ["on_arm", "arm64"],
        ["on_intel", "x64"],
      ] as const
    ).map(([cpu, arch]) => {
      const found = find(os, arch);
      return found && `    ${cpu} do\n      url ${rubyString(found.url)}\n      sha256 "${found.sha256}"\n    end`;
    });
    return cases.includes(undefined) ? undefined : `  ${block} do\n${cases.join("\n")}\n  end`;
  });
  if (blocks.includes(undefined)) return undefined;
  // Homebrew descriptions are limited to 80 characters and don't end with a period.
  return `class BridgeHooks < Formula
  desc ${rubyString(description.replace(/\.$/, ""))}
  homepage ${rubyString(findHomepage(url))}
  version "${version}"
  license "${license}"

${blocks.join("\n\n")}

  def install
    bin.install "bridge-hooks"
    man1.install "man/bridge-hooks.1"
    bash_completion.install "completions/bridge-hooks.bash" => "bridge-hooks"
    zsh_completion.install "completions/_bridge-hooks"
    fish_completion.install "completions/bridge-hooks.fish"
    doc.install "THIRD-PARTY-NOTICES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bridge-hooks --version")
  end
end
`;
}

/** Returns the project's home page: the repository that hosts its downloads. */
const findHomepage = (url: string): string => /^https:\/\/github\.com\/[^/]+\/[^/]+/.exec(url)?.[0] ?? url;

const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 4)}\n`;

/** Formats a Scoop manifest (https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests). */
function formatScoopManifest(
  { version, description, license, url = "" }: Release,
  downloads: readonly Download[],
): string {
  const names = { x64: "64bit", arm64: "arm64" } as const;
  return formatJson({
    version,
    description,
    homepage: findHomepage(url),
    license,
    architecture: Object.fromEntries(
      downloads.map(({ arch, url, sha256, folder }) => [names[arch], { url, hash: sha256, extract_dir: folder }]),
    ),
    bin: "bridge-hooks.exe",
  });
}

/** Quotes every YAML scalar, so that no value is parsed as another type. */
const yamlString = (text: string): string => JSON.stringify(text);

/**
 * Formats winget manifests, schema version 1.6.0
 * (https://learn.microsoft.com/windows/package-manager/package/manifest).
 */
function formatWingetManifests(
  { version, description, license, url = "", time }: Release,
  downloads: readonly Download[],
): [name: string, text: string][] {
  const id = "BridgeHooks.BridgeHooks";
  const begin = (type: string) =>
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.1.6.0.schema.json\n\nPackageIdentifier: ${id}\nPackageVersion: ${yamlString(version)}\n`;
  const end = (type: string) => `ManifestType: ${type}\nManifestVersion: 1.6.0\n`;
  const installers = downloads.map(
    ({ arch, url, sha256, folder }) => `- Architecture: ${arch}
  InstallerUrl: ${yamlString(url)}
  InstallerSha256: ${sha256.toUpperCase()}
  NestedInstallerFiles:
  - RelativeFilePath: ${yamlString(`${folder}\\bridge-hooks.exe`)}
    PortableCommandAlias: bridge-hooks
`,
  );
  return [
    [`${id}.yaml`, `${begin("version")}DefaultLocale: en-US\n${end("version")}`],
    [
      `${id}.installer.yaml`,
      `${begin("installer")}InstallerType: zip\nNestedInstallerType: portable\nReleaseDate: ${new Date(time * 1000).toISOString().slice(0, 10)}\nInstallers:\n${installers.join("")}${end("installer")}`,
    ],
    [
      `${id}.locale.en-US.yaml`,
      `${begin("defaultLocale")}PackageLocale: en-US\nPublisher: ${yamlString("bridge-hooks maintainers")}\nPackageName: bridge-hooks\nPackageUrl: ${yamlString(findHomepage(url))}\nLicense: ${license}\nShortDescription: ${yamlString(description)}\n${end("defaultLocale")}`,
    ],
  ];
}

/** Formats a config for mise's http backend. https://mise.jdx.dev/dev-tools/backends/http.html */
function formatMiseConfig({ version }: Release, downloads: readonly Download[]): string {
  const names = { linux: "linux", darwin: "macos", windows: "windows" } as const;
  const platforms = downloads
    .filter(({ musl }) => !musl)
    .map(
      ({ os, arch, url, sha256 }) =>
        `${names[os]}-${arch} = { url = ${yamlString(url)}, checksum = "sha256:${sha256}" }\n`,
    );
  return `[tools."http:bridge-hooks"]
version = ${yamlString(version)}
strip_components = 1

[tools."http:bridge-hooks".platforms]
${platforms.join("")}`;
}

/** Formats an aqua registry (https://aquaproj.github.io/docs/reference/registry-config/). */
function formatAquaRegistry(
  { version, description, urlTemplate = "" }: Release,
  downloads: readonly Download[],
): string {
  const base = urlTemplate.replaceAll("{version}", "{{trimV .Version}}");
  const supported = [...new Set(downloads.map(({ os, arch }) => `${os}/${arch === "x64" ? "amd64" : arch}`))];
  return `packages:
  - type: http
    name: bridge-hooks
    description: ${yamlString(description)}
    # ${version} is the release that includes this file.
    url: ${yamlString(`${base}/bridge-hooks-{{trimV .Version}}-{{.OS}}-{{.Arch}}.{{.Format}}`)}
    format: tar.gz
    replacements:
      amd64: x64
    overrides:
      - goos: windows
        format: zip
    files:
      - name: bridge-hooks
        src: "bridge-hooks-{{trimV .Version}}-{{.OS}}-{{.Arch}}/bridge-hooks"
    checksum:
      type: http
      url: ${yamlString(`${base}/SHA256SUMS`)}
      algorithm: sha256
    supported_envs: [${supported.join(", ")}]
`;
}
