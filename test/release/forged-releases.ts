import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compressGzip, createTar, type ArchiveFile } from "../../release/archive.ts";
import { computeSha256 } from "../../release/release.ts";
import { readSigningKey, signBytes } from "../../release/sign.ts";

/** The files of a release that an attacker serves, by name. */
export type Served = Record<string, string | Uint8Array>;

/** A member of a tar archive: `type` is the byte of its header, where it is not a regular file. */
export interface Member extends ArchiveFile {
  type?: string;
}

/** An executable of an attacker: it says the expected version, and leaves a file that shows that it ran. */
export const FORGED = `#!/bin/sh\necho ran >"$HOME/ran"\necho 0.1.0\n`;

/** Writes a .tar.gz whose members may be of any type. */
export function packMembers(members: readonly Member[]): Uint8Array {
  const tar = Buffer.concat(
    members.map(({ type, ...file }) => {
      const bytes = Buffer.from(createTar([file], { time: 0 })).subarray(0, -1024);
      return type === undefined ? bytes : setTarType(bytes, type);
    }),
  );
  return compressGzip(Buffer.concat([tar, Buffer.alloc(1024)]));
}

function setTarType(entry: Buffer, type: string): Buffer {
  entry.write(type, 156);
  entry.fill(" ", 148, 156);
  const sum = entry.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  entry.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return entry;
}

/** Signs a list with the release's own key: what follows has to hold even if the list of a maintainer is wrong. */
export const signList = (key: string, list: string): Served => ({
  SHA256SUMS: list,
  "SHA256SUMS.sig": signBytes(readSigningKey(key), Buffer.from(list)),
});

export const listFile = (name: string, content: string | Uint8Array): string => `${computeSha256(content)}  ${name}\n`;

/** A release with one archive, properly signed. */
export const signArchive = (key: string, name: string, archive: Uint8Array): Served => ({
  ...signList(key, listFile(name, archive)),
  [name]: archive,
});

/** The list, its signature and one archive of a release that was made. */
export const readServed = (folder: string, archive: string): Served =>
  Object.fromEntries(["SHA256SUMS", "SHA256SUMS.sig", archive].map((name) => [name, readFileSync(join(folder, name))]));

/** Answers a request for one of the files. */
export const answerWith = (files: Served | undefined, name: string): Response => {
  const found = files?.[name];
  return found === undefined ? new Response("not found", { status: 404 }) : new Response(found);
};

/** An answer that has no end. */
export const answerForever = (): Response =>
  new Response(
    new ReadableStream({
      pull(stream) {
        stream.enqueue(new Uint8Array(65_536));
      },
    }),
  );
