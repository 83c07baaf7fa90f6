import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Env } from "../../protocol/host/host.ts";
import { FILE_MODE, FOLDER_MODE } from "../../call/log/log-files.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";

/**
 * The last line of a file that has arrived. It is found by its place and content, not by the file's name: a full file
 * gets another one.
 */
const MarkSchema = z.object({
  /** Behind its line break, in bytes. */
  end: z.int().positive(),
  /** Without its line break, in bytes. */
  length: z.int().positive(),
  /** Its SHA-256. */
  hash: z.string(),
});
export type Mark = z.infer<typeof MarkSchema>;

const BookmarkSchema = z.object({ v: z.literal(1), name: z.string(), marks: z.array(MarkSchema) });

/** How far an export has come: a mark for each file of the log. */
export interface Bookmark {
  marks: Set<Mark>;
  save: () => void;
}

/** The file of a bookmark. Each destination has its own, so that one that fails holds up no other. */
export const locateBookmark = (env: Env, name: string): string =>
  join(getStateDirectory(env), "exports", `${createHash("sha256").update(name).digest("hex").slice(0, 16)}.json`);

/** Opens the bookmark of that name. One that can't be read counts as none: lines are then shipped again. */
export function openBookmark(env: Env, name: string): Bookmark {
  const file = locateBookmark(env, name);
  const marks = new Set(readMarks(file, name));
  return {
    marks,
    save() {
      mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
      const text = JSON.stringify({ v: 1, name, marks: [...marks] } satisfies z.infer<typeof BookmarkSchema>);
      replaceFile(file, `${text}\n`, { mode: FILE_MODE, durable: true });
    },
  };
}

function readMarks(file: string, name: string): Mark[] {
  try {
    const bookmark = BookmarkSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    return bookmark.name === name ? bookmark.marks : [];
  } catch {
    return [];
  }
}
