import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isAbsentError } from "../../system/errors.ts";
import type { HistoryReader, HistorySource, SessionReader } from "../../protocol/host/history.ts";
import type { HostIdentity } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";

/**
 * Lists the files below a directory whose relative paths match a pattern. The list is sorted, and symbolic links aren't
 * followed.
 * @param pattern uses "/" on every platform.
 * @throws Error if the directory exists but can't be listed.
 */
export function listRecordFiles(folder: string, pattern: RegExp): string[] {
  const paths: string[] = [];
  const walk = (at: string, relativeFolder: string): void => {
    for (const entry of listFolder(at)) {
      const path = `${relativeFolder}${entry.name}`;
      if (entry.isDirectory()) walk(join(at, entry.name), `${path}/`);
      else if (entry.isFile() && pattern.test(path)) paths.push(join(at, entry.name));
    }
  };
  walk(folder, "");
  return paths;
}

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isAbsentError(error)) return [];
    throw error;
  }
}

/** Parses a timestamp given as a string or a number of milliseconds; returns undefined for other values. */
export function parseTime(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asString = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Parses a string as a JSON object; returns an empty object if that fails. */
export function parseObject(text: unknown): Payload {
  try {
    return toObject(typeof text === "string" ? JSON.parse(text) : text);
  } catch {
    return {};
  }
}

interface FileHistory extends Pick<HistoryReader, "releases"> {
  identity: Pick<HostIdentity, "folders">;
  /** Directories inside the user's config directory, each with a pattern for its record files. */
  files: readonly (readonly [folder: string, form: RegExp])[];
  /** Opens a record file: a single JSON document if the name ends in ".json", otherwise JSON lines. */
  open: (path: string) => SessionReader;
}

/** Defines the history reader for a host that stores sessions in files. */
export const defineFileHistory = ({ identity, releases, files, open }: FileHistory): HistoryReader => ({
  releases,
  listSources: (machine) =>
    files.flatMap(([folder, form]) =>
      listRecordFiles(join(identity.folders.user(machine), folder), form).map((path): HistorySource => ({
        path,
        kind: path.endsWith(".json") ? "document" : "lines",
      })),
    ),
  openSource: ({ path }) => open(path),
});

/** Joins the text parts of a message, which can also be a plain string. */
export const joinParts = (content: unknown, separator = ""): string =>
  typeof content === "string"
    ? content
    : toList(content)
        .map((part) => asString(toObject(part).text) ?? "")
        .join(separator);
