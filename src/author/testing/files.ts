import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** Texts by their paths in a folder, with "/". */
export type FilesByPath = Readonly<Record<string, string>>;

/**
 * Makes a folder with these files.
 * @throws Error when one would not lie in it.
 */
export function writeFiles(folder: string, files: FilesByPath): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (isAbsolute(name) || name.split(/[\\/]/).includes(".."))
      throw new Error(`the file ${name} lies in no folder of a test; name it without its root`);
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** All files of a folder; none where there is no folder. */
export function readFiles(folder: string): FilesByPath {
  try {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = found.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(
      paths.map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
    );
  } catch {
    return {};
  }
}
