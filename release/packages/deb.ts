import { createHash } from "node:crypto";
import { compressGzip, createTar } from "../archive.ts";
import type { PlatformFiles, PutFile, Release } from "../release.ts";
import type { CommandDescription } from "./command-line.ts";
import { CONFIG_FOLDER, listPackageFiles, REMOVAL_NOTE } from "./linux.ts";

const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;

/** Adds a platform's Debian package and the archives derived from the package. */
export function addDebPackage(
  release: Release,
  platform: PlatformFiles,
  commands: readonly CommandDescription[],
  put: PutFile,
): void {
  const { name, version, description, url, time } = release;
  const architecture = ARCHITECTURES[platform.arch];
  const files = listPackageFiles(release, platform, commands, "vendor-completions");
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  const control = [
    ["Package", name],
    ["Version", version],
    ["Architecture", architecture],
    ["Maintainer", "bridge-hooks maintainers <maintainers@bridge-hooks.invalid>"],
    ["Installed-Size", `${Math.ceil(bytes / 1024)}`],
    ["Depends", "libc6"],
    ["Section", "devel"],
    ["Priority", "optional"],
    ...(url === undefined ? [] : [["Homepage", url]]),
    ["Description", description],
  ];
  const sums = files
    .filter(({ link }) => link === undefined)
    .map(({ path, content }) => `${createHash("md5").update(content).digest("hex")}  ${path}\n`);
  const removal = `#!/bin/sh\nset -e\nif [ "$1" = remove ]; then echo "${REMOVAL_NOTE}" >&2; fi\n`;
  const options = { time, folders: true };
  const members: [string, Uint8Array][] = [
    ["debian-binary", Buffer.from("2.0\n")],
    [
      "control.tar.gz",
      compressGzip(
        createTar(
          [
            { path: "control", content: `${control.map(([field, value]) => `${field}: ${value}`).join("\n")}\n` },
            { path: "md5sums", content: sums.join("") },
            { path: "prerm", content: removal, mode: 0o755 },
          ],
          options,
        ),
      ),
    ],
    ["data.tar.gz", compressGzip(createTar(files, { ...options, empty: [CONFIG_FOLDER] }))],
  ];
  put(`${name}_${version}_${architecture}.deb`, createAr(members, time));
}

/** Writes an ar archive in the variant that dpkg reads. */
function createAr(members: readonly (readonly [name: string, content: Uint8Array])[], time: number): Uint8Array {
  const parts = members.flatMap(([name, content]) => {
    const fields: [string | number, number][] = [
      [name, 16],
      [time, 12],
      [0, 6],
      [0, 6],
      ["100644", 8],
      [content.length, 10],
    ];
    const header = fields.map(([value, width]) => String(value).padEnd(width)).join("");
    return [Buffer.from(`${header}\`\n`), content, Buffer.from(content.length % 2 === 0 ? "" : "\n")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
