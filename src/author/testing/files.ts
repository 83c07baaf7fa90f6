import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** File contents, keyed by path. Paths are relative to a directory and use "/" as the separator. */
export type FilesByPath = Readonly<Record<string, string>>;

/**
 * Creates a directory with these files.
 * @throws Error if a path leads outside the directory.
 */
export function writeFiles(folder: string, files: FilesByPath): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (isAbsolute(name) || name.split(/[\\/]/).includes(".."))
      throw new Error(`the file "${name}" is outside the test's directory; use a relative path without ".."`);
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Reads all files of a directory. Returns an empty object if the directory doesn't exist. */
export function readFiles(folder: string): FilesByPath {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(
      paths.map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
    );
  } catch {
    return {};
  }
}
