import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Hook } from "../core/hook.ts";

/** Files by their names, as `./name`. */
type Contents = Readonly<Record<string, Uint8Array>>;

/**
 * What is in the files that belong to a hook.
 * @param module the path of its module.
 * @throws Error that names the one that can't be read.
 */
export const contentsOf = ({ files = [] }: Pick<Hook, "files">, module: string): Contents =>
  Object.fromEntries(
    files.map((name) => {
      try {
        return [name, new Uint8Array(readFileSync(join(dirname(module), name)))];
      } catch (error) {
        throw new Error(`${name} can't be read (${(error as Error).message}); put it beside the module`);
      }
    }),
  );

/** Where an executable has such a file: as a module, since that is what a call can load when it needs it. */
const holderOf = (module: string, name: string) => `${join(dirname(module), name)}.bytes.ts`;

/** The modules that hold the files, by their paths, as source. */
export const holders = (module: string, contents: Contents): Record<string, string> =>
  Object.fromEntries(
    Object.entries(contents).map(([name, bytes]) => [
      holderOf(module, name),
      `export default Uint8Array.fromBase64(${JSON.stringify(Buffer.from(bytes).toString("base64"))});\n`,
    ]),
  );

/** How a manifest loads a module: the hook, with what is in its files. */
export function loader(module: string, files: readonly string[] = []): string {
  const [load, ...held] = [module, ...files.map((name) => holderOf(module, name))].map((path) => `import(${JSON.stringify(path)})`);
  if (held.length === 0) return `() => ${load}.then((module) => module.default)`;
  const contents = files.map((name, at) => `${JSON.stringify(name)}: files[${at}].default`).join(", ");
  return `() => Promise.all([${[load, ...held].join(", ")}]).then(([module, ...files]) => module.default.carrying({ ${contents} }))`;
}
