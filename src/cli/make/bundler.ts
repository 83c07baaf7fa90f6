import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Bundled, Job, Metafile } from "./bundle.ts";
import { provide } from "./provided.ts";

/** Runs on its own: bundles as a file says, and writes to another what came of it. */
const [from = "", to = ""] = process.argv.slice(2);
const { config, texts = {}, files = {}, bare = false } = JSON.parse(readFileSync(from, "utf8")) as Job;
const read = Object.entries(files).map(([path, file]) => [path, readFileSync(file)]);
const program = resolve(import.meta.dir, "../../..");

const { success, logs, metafile } = await Bun.build({
  ...config,
  files: { ...texts, ...Object.fromEntries(read) },
  plugins: bare ? [] : [{ name: "bridge-hooks", setup: (builder) => provide(builder, program) }],
} as Bun.BuildConfig);

const errors = logs.filter(({ level }) => level === "error");
const bundled: Bundled = {
  problems: errors.flatMap(({ position, message }) =>
    position?.file ? [{ file: resolve(position.file), line: position.line, column: position.column, message: plain(message) }] : [],
  ),
  ...(success ? { metafile: metafile as unknown as Metafile } : { error: logs.join("; ") }),
};
writeFileSync(to, JSON.stringify(bundled));
process.exit(0);

/** Bun advises to run Bun, which need not be there. */
function plain(message: string): string {
  const [, wanted] = /^Could not resolve: "(.+?)"/.exec(message) ?? [];
  if (wanted === undefined) return message;
  return `"${wanted}" is not there${/^[./]/.test(wanted) ? "" : "; packages of your own go into a node_modules beside the hooks"}`;
}
