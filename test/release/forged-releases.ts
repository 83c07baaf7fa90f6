import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compressGzip, createTar, type ArchiveFile } from "../../release/archive.ts";
import { computeSha256 } from "../../release/release.ts";
import { readSigningKey, signBytes } from "../../release/sign.ts";

/** The files of a release served by an attacker, keyed by name. */
export type Served = Record<string, string | Uint8Array>;

/** A member of a tar archive. `type` is the type byte in its header; absent for a regular file. */
export interface Member extends ArchiveFile {
  type?: string;
}

/** An attacker's executable, which prints the expected version and creates a file if it's run. */
export const FORGED = `#!/bin/sh\necho ran >"$HOME/ran"\necho 0.1.0\n`;

/** Writes a .tar.gz whose members can have any type. */
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

/** Signs a list with the release's own key: even if a maintainer's list is malicious, the other checks must hold. */
export const signList = (key: string, list: string): Served => ({
  SHA256SUMS: list,
  "SHA256SUMS.sig": signBytes(readSigningKey(key), Buffer.from(list)),
});

export const listFile = (name: string, content: string | Uint8Array): string => `${computeSha256(content)}  ${name}\n`;

/** Returns a properly signed release that consists of one archive. */
export const signArchive = (key: string, name: string, archive: Uint8Array): Served => ({
  ...signList(key, listFile(name, archive)),
  [name]: archive,
});

/** Reads the list of files, its signature and one archive from an existing release. */
export const readServed = (folder: string, archive: string): Served =>
  Object.fromEntries(["SHA256SUMS", "SHA256SUMS.sig", archive].map((name) => [name, readFileSync(join(folder, name))]));

/** Responds to a request for one of the files. */
export const answerWith = (files: Served | undefined, name: string): Response => {
  const found = files?.[name];
  return found === undefined ? new Response("not found", { status: 404 }) : new Response(found);
};

/** Returns a response whose body never ends. */
export const answerForever = (): Response =>
  new Response(
    new ReadableStream({
      pull(stream) {
        stream.enqueue(new Uint8Array(65_536));
      },
    }),
  );
