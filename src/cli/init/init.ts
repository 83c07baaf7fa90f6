import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RELEASE_DECLARATIONS, readTypeFiles } from "../build/types/type-files.ts";
import { readStarterHooks } from "../build/sources.ts";
import { createConfigSchema } from "../../policy/check/json-schema.ts";
import { entries } from "../../call/built/hooks.ts";
import { PROJECT_CONFIG } from "../../policy/config-paths.ts";
import check from "./template/policy/check.txt" with { type: "text" };
import policyConfig from "./template/policy/config.txt" with { type: "text" };
import preCommit from "./template/policy/pre-commit.txt" with { type: "text" };
import readme from "./template/policy/readme.txt" with { type: "text" };
import workflow from "./template/policy/workflow.txt" with { type: "text" };
import { formatPath } from "../terminal/layout.ts";
import { explainSystemError } from "../system-errors.ts";
import { DEFAULT_TEMPLATE, findTemplate } from "./templates.ts";
import tsconfig from "./template/tsconfig.txt" with { type: "text" };

/** A file of a new project and its status. */
export interface ProjectFile {
  path: string;
  purpose: string;
  /**
   * `kept`: an existing file, left as it is; `other`: an existing file that differs from this release's version;
   * `apart`: an existing file that doesn't reference the declarations.
   */
  outcome: "made" | "kept" | "other" | "apart";
}

const TSCONFIG = "tsconfig.json";

const TYPES_FOLDER = "types";
/** The config files' JSON Schema, in the directory with editor support files. */
const CONFIG_SCHEMA = "config.schema.json";

const INITIAL_CONFIG = `${JSON.stringify({ $schema: `./${TYPES_FOLDER}/${CONFIG_SCHEMA}`, hooks: {} }, null, 2)}\n`;

type TemplateFile = readonly [path: string, what: string, text: string];

function listHookFiles(name: string): readonly TemplateFile[] {
  const { hook, test } = findTemplate(name);
  return [
    [`hooks/${name}.ts`, "an example hook to edit", hook],
    [`hooks/${name}.test.ts`, "its test", test],
  ];
}
const EDITOR_FILES: readonly TemplateFile[] = [
  [TSCONFIG, "for your editor", tsconfig],
  [".gitignore", "keeps generated files out of git", "dist/\ntypes/\n"],
];
const PROJECT_FILES: readonly TemplateFile[] = [
  [PROJECT_CONFIG, "this project's hook settings", INITIAL_CONFIG],
  ...EDITOR_FILES,
];
/** Files of a policy repository, including its checks. */
const POLICY_FILES: readonly TemplateFile[] = [
  ["config.json", "the managed config, with an example rule", policyConfig],
  ["check.sh", "tests, types, config and rules", check],
  [".github/workflows/policy.yml", "runs check.sh; see its first lines for the required variables", workflow],
  [".pre-commit-config.yaml", "runs check.sh before a commit", preCommit],
  ["README.md", "the layout of the repository, and how to release", readme],
  ...EDITOR_FILES,
];

/**
 * Creates the missing files of an author's project. Existing files are kept unchanged.
 * @param starter whether to write the starter hooks
 * @param policyRepo whether to create a repository for a team's policy
 * @param template the name of the example hook
 * @throws Error for an unknown template, or if a file can't be written.
 */
export async function initProject(
  directory: string,
  { starter = false, policyRepo = false, template = DEFAULT_TEMPLATE } = {},
): Promise<ProjectFile[]> {
  const file = findFileOnPath(directory);
  if (file !== undefined) throw new Error(`${formatPath(file)} is a file; pass a directory (created if missing)`);
  const files = [...listHookFiles(template), ...(policyRepo ? POLICY_FILES : PROJECT_FILES)];
  const projectFiles = files.map(([path, what, text]): ProjectFile => ({
    path,
    purpose: what,
    outcome: writeNewFile(join(directory, path), text),
  }));
  if (starter)
    projectFiles.push(...(await readStarterHooks()).flatMap(([path, text]) => writeStarterFile(directory, path, text)));
  const config = projectFiles.find(({ path }) => path === TSCONFIG);
  if (config?.outcome === "kept" && !hasTypeSettings(join(directory, TSCONFIG))) config.outcome = "apart";
  const types = await readTypeFiles();
  const schema = await createConfigSchema({ entries }, directory);
  const editorFiles = { ...types, [CONFIG_SCHEMA]: `${JSON.stringify(schema, null, 2)}\n` };
  const outcomes = Object.entries(editorFiles).map(([path, text]) =>
    writeNewFile(join(directory, TYPES_FOLDER, path), text),
  );
  const stale =
    outcomes.includes("kept") &&
    readFileSync(join(directory, TYPES_FOLDER, RELEASE_DECLARATIONS), "utf8") !== types[RELEASE_DECLARATIONS];
  const outcome = stale ? "other" : outcomes.includes("made") ? "made" : "kept";
  return [
    ...projectFiles,
    { path: `${TYPES_FOLDER}/`, purpose: "types for your editor; not in git, restored by init", outcome },
  ];
}

/** Matches the starter hooks' helper modules and helper directories. */
const HELPER_PATH = /\/_/;

/** Writes a starter hook's file. A helper is reported only if an existing file with other content was kept. */
function writeStarterFile(directory: string, path: string, text: string): ProjectFile[] {
  const file = join(directory, path);
  const outcome = writeNewFile(file, text);
  return HELPER_PATH.test(path) && readFileSync(file, "utf8") === text
    ? []
    : [{ path, purpose: "a starter hook", outcome }];
}

/** Returns the file at a path, or a parent of the path if that parent is a file instead of a directory. */
function findFileOnPath(path: string): string | undefined {
  if (existsSync(path)) return statSync(path).isDirectory() ? undefined : path;
  return dirname(path) === path ? undefined : findFileOnPath(dirname(path));
}

/** Whether a tsconfig.json itself configures where declarations are found. */
function hasTypeSettings(path: string): boolean {
  return existsSync(path) && /"(typeRoots|extends)"/.test(readFileSync(path, "utf8"));
}

function writeNewFile(path: string, text: string): ProjectFile["outcome"] {
  const write = () => writeFileSync(path, text, { flag: "wx" });
  try {
    try {
      write();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      mkdirSync(dirname(path), { recursive: true });
      write();
    }
    return "made";
  } catch (error) {
    // The path can also be taken by a dangling link.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return "kept";
    throw new Error(
      `${path} can't be written (${explainSystemError(error)}); fix that and run init again (files created so far stay)`,
    );
  }
}
