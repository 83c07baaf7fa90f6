import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BuildTarget, TARGETS } from "../src/operate/executable/image.ts";
import { GENERATE_KEY, readSigningKey, type SigningKey } from "./sign.ts";

export const USAGE = `Usage: npm run release -- --out DIR (--key FILE | --unsigned) [options]

Builds a release: executables for all targets, their archives and packages, checksums and metadata. The same commit
always gives the same bytes. DIR is created in one step at the end.

  --out DIR          the directory to create
  --key FILE         the P-256 key that signs the release
                     (${GENERATE_KEY} -out FILE)
  --unsigned         build without a signature
  --target NAME      ${TARGETS.map((target) => target.slice(4)).join(", ")} (default: all); may be repeated
  --url URL          the download URL of the release's files, with {version} as a placeholder; required for package
                     manager files
  --executables DIR  don't build, but use the executables in this directory, named like the output of build --target;
                     for executables that were signed for their systems
  --work-tree        include uncommitted changes`;

/** Command-line options. */
export interface ReleaseOptions {
  out: string;
  targets: BuildTarget[];
  key: SigningKey | undefined;
  url: string | undefined;
  executables: string | undefined;
  workTree: boolean;
}

/**
 * Parses the command line.
 * @throws Error for invalid or contradictory options.
 */
export function parseReleaseOptions(args: readonly string[]): ReleaseOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: "string" },
      key: { type: "string" },
      unsigned: { type: "boolean", default: false },
      target: { type: "string", multiple: true, default: ["all"] },
      url: { type: "string" },
      executables: { type: "string" },
      "work-tree": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (!values.out) throw new Error("--out DIR is missing; pass the directory to create");
  if (values.key === undefined && !values.unsigned)
    throw new Error("--key FILE is missing; pass the key that signs the release, or pass --unsigned");
  if (values.key !== undefined && values.unsigned)
    throw new Error("--key and --unsigned are mutually exclusive; pass only one");
  if (values.url !== undefined && !/^https?:\/\/\S+$/.test(values.url))
    throw new Error(`--url ${values.url}: not a URL; pass a URL that begins with https://`);
  return {
    out: resolve(values.out),
    targets: values.target
      .flatMap((name): readonly BuildTarget[] => {
        if (name === "all") return TARGETS;
        const target = TARGETS.find((one) => one === `bun-${name}`);
        if (target) return [target];
        throw new Error(`unknown target "${name}"; known: ${TARGETS.map((one) => one.slice(4)).join(", ")}, all`);
      })
      .filter((target, at, all) => all.indexOf(target) === at),
    key: values.key === undefined ? undefined : readSigningKey(resolve(values.key)),
    url: values.url?.replace(/\/+$/, ""),
    executables: values.executables === undefined ? undefined : resolve(values.executables),
    workTree: values["work-tree"],
  };
}
