import { createHash } from "node:crypto";
import { type ArchiveFile, compressGzip, listFolders } from "../archive.ts";
import { computeSha256, type PlatformFiles, type PutFile, type Release } from "../release.ts";
import type { CommandDescription } from "./command-line.ts";
import { CONFIG_FOLDER, listPackageFiles, PROGRAM_FOLDER, REMOVAL_NOTE } from "./linux.ts";

/** RPM's architecture names, and their numbers in the package lead. */
const ARCHITECTURES = { x64: ["x86_64", 1, "x86-64"], arm64: ["aarch64", 19, "aarch-64"] } as const;
const RELEASE_NUMBER = "1";

/** Types of header values. https://rpm-software-management.github.io/rpm/manual/format_header.html */
const TYPES = { int16: 3, int32: 4, string: 6, binary: 7, strings: 8, i18n: 9 } as const;

interface Entry {
  tag: number;
  type: number;
  count: number;
  bytes: Buffer;
  align: number;
}

const int32 = (tag: number, ...values: number[]): Entry => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeInt32BE(value | 0, 4 * at);
  return { tag, type: TYPES.int32, count: values.length, bytes, align: 4 };
};
const int16 = (tag: number, ...values: number[]): Entry => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * at);
  return { tag, type: TYPES.int16, count: values.length, bytes, align: 2 };
};
const text = (tag: number, value: string): Entry => ({
  tag,
  type: TYPES.string,
  count: 1,
  bytes: Buffer.from(`${value}\0`),
  align: 1,
});
const localizedText = (tag: number, value: string): Entry => ({ ...text(tag, value), type: TYPES.i18n });
const texts = (tag: number, ...values: string[]): Entry => ({
  tag,
  type: TYPES.strings,
  count: values.length,
  bytes: Buffer.from(values.map((value) => `${value}\0`).join("")),
  align: 1,
});
const binary = (tag: number, bytes: Buffer): Entry => ({
  tag,
  type: TYPES.binary,
  count: bytes.length,
  bytes,
  align: 1,
});

/**
 * Writes a header with entries sorted by tag. All entries belong to one region, whose own entry comes at the end of the
 * data.
 */
function createHeader(region: number, entries: readonly Entry[]): Buffer {
  const sorted = [...entries].sort((a, b) => a.tag - b.tag);
  const chunks: Buffer[] = [];
  let size = 0;
  const index = sorted.map(({ tag, type, count, bytes, align }) => {
    const padding = (align - (size % align)) % align;
    chunks.push(Buffer.alloc(padding), bytes);
    const offset = size + padding;
    size = offset + bytes.length;
    return formatIndex(tag, type, offset, count);
  });
  const count = sorted.length + 1;
  chunks.push(formatIndex(region, TYPES.binary, -16 * count, 16));
  const first = formatIndex(region, TYPES.binary, size, 16);
  const begin = Buffer.alloc(16);
  begin.writeUInt32BE(0x8eade801, 0);
  begin.writeUInt32BE(count, 8);
  begin.writeUInt32BE(size + 16, 12);
  return Buffer.concat([begin, first, ...index, ...chunks]);
}

function formatIndex(tag: number, type: number, offset: number, count: number): Buffer {
  const bytes = Buffer.alloc(16);
  for (const [at, value] of [tag, type, offset, count].entries()) bytes.writeInt32BE(value | 0, 4 * at);
  return bytes;
}

interface Node extends ArchiveFile {
  /** File mode including the file type bits. */
  fullMode: number;
}

const FOLDER = 0o040000;
const REGULAR = 0o100000;
const LINK = 0o120000;

/** Lists the package's files and its own directories in rpm's sort order. */
function listNodes(files: readonly ArchiveFile[]): Node[] {
  const folders = [
    PROGRAM_FOLDER,
    CONFIG_FOLDER,
    ...listFolders(files.map(({ path }) => path)).filter((path) => path.endsWith("/bridge-hooks")),
  ];
  const nodes = [
    ...[...new Set(folders)].map((path) => ({ path, content: "", fullMode: FOLDER | 0o755 })),
    ...files.map((file) => ({
      ...file,
      fullMode: file.link === undefined ? REGULAR | (file.mode ?? 0o644) : LINK | 0o777,
    })),
  ];
  return nodes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isFolder = ({ fullMode }: Node): boolean => (fullMode & 0o170000) === FOLDER;
const contentOf = ({ content, link }: Node): Buffer => (link === undefined ? Buffer.from(content) : Buffer.from(link));

/** Writes a cpio archive in the "newc" format. */
function createCpio(nodes: readonly Node[], time: number): Buffer {
  const parts: Uint8Array[] = [];
  const add = (
    name: string,
    content: Buffer,
    [inode, mode, links, modified]: readonly [number, number, number, number],
  ) => {
    const path = Buffer.from(`${name}\0`);
    const fields = [inode, mode, 0, 0, links, modified, content.length, 0, 0, 0, 0, path.length, 0];
    const header = Buffer.from(`070701${fields.map((value) => value.toString(16).padStart(8, "0")).join("")}`);
    parts.push(
      header,
      path,
      Buffer.alloc(-(header.length + path.length) & 3),
      content,
      Buffer.alloc(-content.length & 3),
    );
  };
  for (const [at, node] of nodes.entries())
    add(`./${node.path}`, contentOf(node), [at + 1, node.fullMode, isFolder(node) ? 2 : 1, time]);
  add("TRAILER!!!", Buffer.alloc(0), [0, 0, 1, 0]);
  return Buffer.concat(parts);
}

const EQUAL_FLAG = 8;
const LESS_OR_EQUAL = 10;
const RPMLIB = 0x0100_0000;
const INTERPRETER = (1 << 8) | (1 << 11);

/** Adds a platform's RPM package. */
export function addRpmPackage(
  release: Release,
  platform: PlatformFiles,
  commands: readonly CommandDescription[],
  put: PutFile,
): void {
  const [architecture, number, isa] = ARCHITECTURES[platform.arch];
  const names = namePackage(release, isa);
  const nodes = listNodes(listPackageFiles(release, platform, commands, "site-functions"));
  const cpio = createCpio(nodes, release.time);
  const payload = Buffer.from(compressGzip(cpio));
  const header = createHeader(63, [
    ...describePackage(release, names),
    text(1022, architecture),
    ...describeRelations(names),
    ...describeNodes(nodes, release.time),
    ...describePayload(payload),
  ]);
  const signature = createSignature(header, payload, cpio.length);
  put(
    `${names.fullName}.${architecture}.rpm`,
    Buffer.concat([
      createLead(names.fullName, number),
      signature,
      Buffer.alloc(-signature.length & 7),
      header,
      payload,
    ]),
  );
}

interface PackageNames {
  name: string;
  /** Package name with the architecture: `bridge-hooks(x86-64)`. */
  providedName: string;
  version: string;
  /** Version and release number. */
  edition: string;
  /** Name, version and release number. */
  fullName: string;
}

function namePackage({ name, version }: Release, isa: string): PackageNames {
  // rpm separates version and release with a hyphen, so neither may contain one.
  const ownVersion = version.replace("-", "~");
  const edition = `${ownVersion}-${RELEASE_NUMBER}`;
  return { name, providedName: `${name}(${isa})`, version: ownVersion, edition, fullName: `${name}-${edition}` };
}

const describePackage = ({ description, license, url, time }: Release, names: PackageNames): Entry[] => [
  texts(100, "C"),
  text(1000, names.name),
  text(1001, names.version),
  text(1002, RELEASE_NUMBER),
  localizedText(1004, description.replace(/\.$/, "")),
  localizedText(1005, description),
  int32(1006, time),
  text(1007, "reproducible"),
  text(1014, license),
  localizedText(1016, "Development/Tools"),
  ...(url === undefined ? [] : [text(1020, url)]),
  text(1021, "linux"),
  text(1025, `if [ "$1" = 0 ]; then echo "${REMOVAL_NOTE}" >&2; fi`),
  text(1044, `${names.fullName}.src.rpm`),
  text(1064, "4.18.0"),
  text(1087, "/bin/sh"),
  text(5062, "utf-8"),
];

const REQUIREMENTS: readonly [what: string, flags: number, from: string][] = [
  ["/bin/sh", INTERPRETER, ""],
  ["libc.so.6()(64bit)", 0, ""],
  ["rpmlib(CompressedFileNames)", RPMLIB | LESS_OR_EQUAL, "3.0.4-1"],
  ["rpmlib(FileDigests)", RPMLIB | LESS_OR_EQUAL, "4.6.0-1"],
  ["rpmlib(PayloadFilesHavePrefix)", RPMLIB | LESS_OR_EQUAL, "4.0-1"],
];

/** Builds the header entries for what the package provides and requires. */
const describeRelations = ({ name, providedName, edition }: PackageNames): Entry[] => [
  texts(1047, name, providedName),
  int32(1048, ...REQUIREMENTS.map(([, flags]) => flags)),
  texts(1049, ...REQUIREMENTS.map(([what]) => what)),
  texts(1050, ...REQUIREMENTS.map(([, , from]) => from)),
  int32(1112, EQUAL_FLAG, EQUAL_FLAG),
  texts(1113, edition, edition),
];

const isDocumentation = ({ path }: Node): boolean =>
  /^usr\/share\/(doc|man)\/.*[^/]$/.test(path) && !path.endsWith("/bridge-hooks");

/** Builds the header entries for the package's files. */
function describeNodes(nodes: readonly Node[], time: number): Entry[] {
  const folderOf = (path: string) => `/${path.slice(0, path.lastIndexOf("/") + 1)}`;
  const folders = [...new Set(nodes.map(({ path }) => folderOf(path)))];
  const mapNodes = <T>(read: (node: Node) => T): T[] => nodes.map(read);
  return [
    int32(
      1009,
      nodes.reduce((sum, node) => sum + contentOf(node).length, 0),
    ),
    int32(1028, ...mapNodes((node) => (isFolder(node) ? 4096 : contentOf(node).length))),
    int16(1030, ...mapNodes(({ fullMode }) => fullMode)),
    int16(1033, ...mapNodes(() => 0)),
    int32(1034, ...mapNodes(() => time)),
    texts(1035, ...mapNodes((node) => ((node.fullMode & 0o170000) === REGULAR ? computeSha256(contentOf(node)) : ""))),
    texts(1036, ...mapNodes(({ link = "" }) => link)),
    int32(1037, ...mapNodes((node) => (isDocumentation(node) ? 2 : 0))),
    texts(1039, ...mapNodes(() => "root")),
    texts(1040, ...mapNodes(() => "root")),
    int32(1045, ...mapNodes(() => -1)),
    int32(1095, ...mapNodes(() => 1)),
    int32(1096, ...mapNodes(({ path }) => nodes.findIndex((node) => node.path === path) + 1)),
    texts(1097, ...mapNodes(() => "")),
    int32(1116, ...mapNodes(({ path }) => folders.indexOf(folderOf(path)))),
    texts(1117, ...mapNodes(({ path }) => path.slice(path.lastIndexOf("/") + 1))),
    texts(1118, ...folders),
    int32(5011, 8),
  ];
}

const describePayload = (payload: Buffer): Entry[] => [
  text(1124, "cpio"),
  text(1125, "gzip"),
  text(1126, "6"),
  texts(5092, computeSha256(payload)),
  int32(5093, 8),
];

/** Writes the signature header with digests of the header and payload. */
function createSignature(header: Buffer, payload: Buffer, unpackedBytes: number): Buffer {
  const digest = (algorithm: string, ...parts: Buffer[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest();
  return createHeader(62, [
    text(269, digest("sha1", header).toString("hex")),
    text(273, computeSha256(header)),
    int32(1000, header.length + payload.length),
    binary(1004, digest("md5", header, payload)),
    int32(1007, unpackedBytes),
  ]);
}

/** Writes the 96-byte lead, which only `file` still reads. */
function createLead(name: string, architecture: number): Buffer {
  const lead = Buffer.alloc(96);
  lead.writeUInt32BE(0xedabeedb, 0);
  lead.writeUInt16BE(0x0300, 4);
  lead.writeUInt16BE(architecture, 8);
  lead.write(name.slice(0, 65), 10);
  lead.writeUInt16BE(1, 76);
  lead.writeUInt16BE(5, 78);
  return lead;
}
