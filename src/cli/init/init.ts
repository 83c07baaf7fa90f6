import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHANGING, typeFiles } from "../build/types/types.ts";
import { starterHooks } from "../build/sources.ts";
import test from "./template/no-publish.test.txt" with { type: "text" };
import hook from "./template/no-publish.txt" with { type: "text" };
import { shownFile } from "../terminal/layout.ts";
import { reasonOf } from "../reasons.ts";
import tsconfig from "./template/tsconfig.txt" with { type: "text" };

/** A file of a new project, and what became of it. */
export interface Made {
  path: string;
  what: string;
  /**
   * `kept`: it was there, and stays as it is; `other`: so it is, and it says something else than this release; `apart`: so it is, and
   * does not know of the declarations.
   */
  outcome: "made" | "kept" | "other" | "apart";
}

const TSCONFIG = "tsconfig.json";

const FILES: readonly [path: string, what: string, text: string][] = [
  ["hooks/no-publish.ts", "a hook, to be changed", hook],
  ["hooks/no-publish.test.ts", "its test", test],
  [TSCONFIG, "for your editor", tsconfig],
  [".gitignore", "what is made from the rest", "dist/\ntypes/\n"],
];

const TYPES = "types";

/**
 * Makes what is missing of an author's project. What is there stays as it is.
 * @param starter the starter hooks, too.
 * @throws Error when something can't be written.
 */
export async function init(directory: string, { starter = false } = {}): Promise<Made[]> {
  const file = fileOf(directory);
  if (file !== undefined) throw new Error(`${shownFile(file)} is a file; name a folder, or one that is to be made`);
  const made = FILES.map(([path, what, text]): Made => ({ path, what, outcome: write(join(directory, path), text) }));
  if (starter) made.push(...(await starterHooks()).flatMap(([path, text]) => writeStarter(directory, path, text)));
  const config = made.find(({ path }) => path === TSCONFIG);
  if (config?.outcome === "kept" && !readsTypes(join(directory, TSCONFIG))) config.outcome = "apart";
  const types = await typeFiles();
  const outcomes = Object.entries(types).map(([path, text]) => write(join(directory, TYPES, path), text));
  const stale = outcomes.includes("kept") && readFileSync(join(directory, TYPES, CHANGING), "utf8") !== types[CHANGING];
  const outcome = stale ? "other" : outcomes.includes("made") ? "made" : "kept";
  return [
    ...made,
    { path: `${TYPES}/`, what: "what your editor has to know; git ignores it, init makes it again", outcome },
  ];
}

/** What their helpers are called, and the folders of those. */
const HELPER = /\/_/;

/** Writes a file of the starter hooks. Helpers are only told of where another one stays. */
function writeStarter(directory: string, path: string, text: string): Made[] {
  const file = join(directory, path);
  const outcome = write(file, text);
  return HELPER.test(path) && readFileSync(file, "utf8") === text ? [] : [{ path, what: "a starter hook", outcome }];
}

/** The file that a path leads to, or through. */
function fileOf(path: string): string | undefined {
  if (existsSync(path)) return statSync(path).isDirectory() ? undefined : path;
  return dirname(path) === path ? undefined : fileOf(dirname(path));
}

/** Whether a tsconfig.json says where declarations are: it may do so in its own way. */
function readsTypes(path: string): boolean {
  return existsSync(path) && /"(typeRoots|extends)"/.test(readFileSync(path, "utf8"));
}

function write(path: string, text: string): Made["outcome"] {
  try {
    // A link that leads nowhere is something, too.
    if (lstatSync(path, { throwIfNoEntry: false })) return "kept";
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
    return "made";
  } catch (error) {
    throw new Error(
      `${path} can't be written (${reasonOf(error)}); fix that and run init again: what was made before it stays`,
    );
  }
}
