import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isAbsentError } from "../../system/errors.ts";
import type { HistoryReader, HistorySource, SessionReader } from "../../protocol/host/history.ts";
import type { HostIdentity } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";

/**
 * Lists the files below a folder whose path in it matches, in order; no link is followed.
 * @param form matched against the path relative to the folder, with "/" on every system.
 * @throws Error if a folder that exists can't be listed.
 */
export function listRecordFiles(folder: string, form: RegExp): string[] {
  const found: string[] = [];
  const walk = (at: string, inside: string): void => {
    for (const entry of listFolder(at)) {
      const path = `${inside}${entry.name}`;
      if (entry.isDirectory()) walk(join(at, entry.name), `${path}/`);
      else if (entry.isFile() && form.test(path)) found.push(join(at, entry.name));
    }
  };
  walk(folder, "");
  return found;
}

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
}

/** Parses a point in time, given as text or in milliseconds; undefined for anything else. */
export function parseTime(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Parses a text as a JSON object; an empty object if it is none. */
export function parseObject(text: unknown): Payload {
  try {
    return toObject(typeof text === "string" ? JSON.parse(text) : text);
  } catch {
    return {};
  }
}

interface FileHistory extends Pick<HistoryReader, "releases"> {
  identity: Pick<HostIdentity, "folders">;
  /** Folders in the user's directory, and the paths of the records in them. */
  files: readonly (readonly [folder: string, form: RegExp])[];
  /** Opens a file of records: JSON lines, or one document if its name ends in ".json". */
  open: (path: string) => SessionReader;
}

/** Defines the history of a host that keeps its records in files. */
export const defineFileHistory = ({ identity, releases, files, open }: FileHistory): HistoryReader => ({
  releases,
  listSources: (place) =>
    files.flatMap(([folder, form]) =>
      listRecordFiles(join(identity.folders.user(place), folder), form).map((path): HistorySource => ({
        path,
        kind: path.endsWith(".json") ? "document" : "lines",
      })),
    ),
  openSource: ({ path }) => open(path),
});

/** The texts of a message's parts, joined; a message may also be one text. */
export const joinParts = (content: unknown, glue = ""): string =>
  typeof content === "string"
    ? content
    : asList(content)
        .map((part) => asText(toObject(part).text) ?? "")
        .join(glue);
