import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Env } from "../../protocol/host/host.ts";
import { FILE_MODE, FOLDER_MODE } from "../../call/log/log-files.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";

/**
 * Marks the last delivered line of a log file. Log rotation renames files, so the line is identified by its position
 * and contents rather than by file name.
 */
const LogMarkerSchema = z.object({
  /** Offset just past the line's newline, in bytes. */
  end: z.int().positive(),
  /** Length of the line in bytes, without its newline. */
  length: z.int().positive(),
  /** SHA-256 of the line. */
  hash: z.string(),
});
export type LogMarker = z.infer<typeof LogMarkerSchema>;

const BookmarkSchema = z.object({ v: z.literal(1), name: z.string(), marks: z.array(LogMarkerSchema) });

/** The progress of an export: one mark per log file. */
export interface Bookmark {
  marks: Set<LogMarker>;
  save: () => void;
}

/**
 * Returns the path of a destination's bookmark. Each destination has its own, so a failing destination doesn't hold up
 * the others.
 */
export const locateBookmark = (env: Env, name: string): string =>
  join(getStateDirectory(env), "exports", `${createHash("sha256").update(name).digest("hex").slice(0, 16)}.json`);

/** Opens a bookmark. An unreadable bookmark counts as missing, so lines might be exported twice. */
export function openBookmark(env: Env, name: string): Bookmark {
  const file = locateBookmark(env, name);
  const marks = new Set(readMarkers(file, name));
  return {
    marks,
    save() {
      mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
      const text = JSON.stringify({ v: 1, name, marks: [...marks] } satisfies z.infer<typeof BookmarkSchema>);
      replaceFile(file, `${text}\n`, { mode: FILE_MODE, durable: true });
    },
  };
}

function readMarkers(file: string, name: string): LogMarker[] {
  try {
    const bookmark = BookmarkSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    return bookmark.name === name ? bookmark.marks : [];
  } catch {
    return [];
  }
}
