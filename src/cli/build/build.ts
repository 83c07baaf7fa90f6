import { chmodSync, existsSync, lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import { basename, dirname, join, resolve } from "node:path";
import {
  isHookModule,
  findIgnoredModules,
  findTimeLimitNotes,
  findStarterModules,
  loadHooks,
  listHookModules,
} from "../load-hooks.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import type { BuiltPolicy } from "../../call/built/policy.ts";
import { hashHookSources } from "./hook-sources.ts";
import { type BridgeContents, compileBridge, hashHooks } from "./bundle.ts";
import { type BuildOutput, compileProgram, type Metafile } from "./compile-program.ts";
import { checkModules } from "./check-modules.ts";
import { detectTarget, canRunHere, type BuildTarget, TARGETS } from "../../operate/executable/image.ts";
import { type SourceProblem, SourceProblemsError } from "./problem.ts";
import { removeLeftoverFile } from "../../system/replace-file.ts";
import { ENTRY_NAME, isOwnImage } from "../../system/own-image.ts";
import { replaceExecutable } from "../../operate/executable/replace-executable.ts";
import { withWorkshop, type Workshop } from "./workshop.ts";
import { runSelfTest } from "./selftest.ts";

interface BuildOptions {
  /** The hook modules' directory; absent to use only starter hooks. */
  hooks: string | undefined;
  /** Starter hooks to include: their names, or "starter" for all. */
  starters?: readonly string[];
  /** The target platform. Defaults to this machine's platform. */
  target?: BuildTarget;
  outfile: string;
  /** Whether type errors fail the build. Defaults to false. */
  check?: boolean;
  /** The policy's name and version. Defaults to the name and version of bridge-hooks. */
  policy?: Omit<BuiltPolicy, "hooks" | "sources" | "checked">;
}

export interface BuildResult {
  outfile: string;
  target: BuildTarget;
  bytes: number;
  hooks: string[];
  policy: BuiltPolicy;
  /** Files and subdirectories that look like hooks but weren't compiled in; directories end in "/". */
  skippedPaths: string[];
  /** Likely mistakes in the hook modules that don't fail the build. */
  notes: SourceProblem[];
  /** The inputs of each output chunk, as reported by the bundler. */
  metafile: Metafile;
  /** Whether the self-test ran. False if the executable can't run on this machine. */
  tested: boolean;
}

/** The default output directory. */
const OUTPUT_FOLDER = "dist";

/**
 * Plans which executables to build: `dist/NAME` in `home` for this machine, `dist/NAME-TARGET` for each given target.
 * @throws Error if the arguments contradict each other.
 */
export function planOutputs(
  targetNames: readonly string[],
  outfile?: string,
  name = "bridge-hooks",
  home = ".",
): BuildOutput[] {
  const file = (end: string, target: BuildTarget) =>
    join(home, OUTPUT_FOLDER, `${name}${end}${target.includes("windows") ? ".exe" : ""}`);
  const targets = targetNames.flatMap((targetName): readonly BuildTarget[] => {
    if (targetName === "all") return TARGETS;
    const target = TARGETS.find((candidate) => candidate === targetName || candidate === `bun-${targetName}`);
    if (target) return [target];
    const names = [...TARGETS.map((candidate) => candidate.slice(4)), "all"];
    throw new Error(
      `unknown target "${targetName}"${suggestName(targetName, names) || `; known: ${names.join(", ")}`}`,
    );
  });
  if (outfile === undefined) {
    if (targets.length === 0) return [{ target: detectTarget(), outfile: file("", detectTarget()) }];
    return [...new Set(targets)].map((target) => ({ target, outfile: file(target.slice(3), target) }));
  }
  const [target = detectTarget(), another] = targets;
  if (another) throw new Error("--outfile can't be used with several targets; to name the files in dist: --name");
  return [{ target, outfile }];
}

/**
 * Compiles a hooks directory into an executable and runs its self-test. On failure, leaves nothing at `outfile`.
 * @throws Error that describes the problem.
 */
export async function buildExecutable({
  hooks,
  starters = [],
  target = detectTarget(),
  outfile,
  check = false,
  policy,
}: BuildOptions): Promise<BuildResult> {
  const products: BuildResult[] = [];
  await buildExecutables(
    { hooks, starters, products: [{ target, outfile }], check, ...(policy && { policy }) },
    (product) => void products.push(product),
  );
  return products[0] as BuildResult;
}

/**
 * Builds executables for multiple targets into one directory.
 * @param onBuilt called with each result as soon as it is available
 * @param onStep called with a description of the current step
 */
export async function buildExecutables(
  {
    hooks,
    starters = [],
    products,
    check,
    policy: named = {},
  }: Pick<BuildOptions, "hooks" | "starters" | "policy"> & { products: readonly BuildOutput[]; check: boolean },
  onBuilt: (result: BuildResult) => void,
  onStep: (step: string) => void = () => {},
): Promise<void> {
  const folder = dirname(resolve(products[0]?.outfile ?? ""));
  for (const { outfile } of products) refuseOverwrite(outfile, hooks);
  const hookFiles = hooks === undefined ? [] : listHookModules(hooks).map((name) => join(resolve(hooks), name));
  try {
    await withWorkshop(folder, async (shop) => {
      onStep("loading the hooks");
      const files = [...new Set([...findStarterModules(starters, shop), ...hookFiles])];
      const loadedHooks = await loadHooks(files, shop).catch(async (error: unknown) => {
        if (check && error instanceof SourceProblemsError && error.stage === "export")
          await checkModules(hookFiles, shop, error.problems);
        throw error;
      });
      const limits = await findTimeLimitNotes(loadedHooks);
      if (check) onStep("checking types and responses");
      if (check)
        await checkModules(
          loadedHooks.map(({ file }) => file).filter((file) => hookFiles.includes(file)),
          shop,
        );
      const sources = hooks === undefined ? {} : recordSources(resolve(hooks));
      const checked = check ? { checked: true as const } : {};
      const policy = { ...named, hooks: await hashHooks(loadedHooks, shop), ...sources, ...checked };
      for (const [index, product] of products.entries()) {
        const share = products.length > 1 ? `${index + 1} of ${products.length}: ` : "";
        const builtProduct = await makeExecutable({ hooks: loadedHooks, policy }, product, shop, (step) =>
          onStep(`${share}${step}`),
        );
        const inputs = Object.values(builtProduct.metafile.outputs).flatMap((output) => Object.keys(output.inputs));
        onBuilt({
          ...builtProduct,
          notes: [...loadedHooks.flatMap(({ notes = [] }) => notes), ...limits],
          skippedPaths:
            hooks === undefined
              ? []
              : findIgnoredModules(hooks, new Set(inputs.map((path) => resolve(shop.program, path)))),
        });
      }
    });
  } catch (error) {
    throw explainBuildError(error as NodeJS.ErrnoException, folder);
  }
}

/** Records a hash that lets an executable recognize its hooks directory, unless the directory is too large. */
function recordSources(hooks: string): Pick<BuiltPolicy, "sources"> {
  try {
    return { sources: hashHookSources(hooks) };
  } catch {
    return {};
  }
}

/** Refuses to overwrite anything except the output of an earlier build. */
function refuseOverwrite(outfile: string, hooks: string | undefined): void {
  if (hooks !== undefined && isHookModule(basename(outfile)) && resolve(dirname(outfile)) === resolve(hooks))
    throw new Error(`${outfile} would be loaded as a hook module; pass another --outfile`);
  if (existsSync(outfile) && statSync(outfile).isDirectory())
    throw new Error(`${outfile} is a directory; pass a file with --outfile`);
  if (pathExists(outfile) && !isOwnImage(outfile))
    throw new Error(`${outfile} exists and was not created by build; delete it or pass another --outfile`);
}

/** Whether a path exists, even as a dangling link. */
function pathExists(path: string): boolean {
  try {
    return orAbsent(() => lstatSync(path)) !== undefined;
  } catch {
    return false;
  }
}

async function makeExecutable(
  contents: BridgeContents,
  { target, outfile }: BuildOutput,
  shop: Workshop,
  onStep: (step: string) => void,
): Promise<Omit<BuildResult, "skippedPaths" | "notes">> {
  const file = resolve(outfile);
  // Copies of the executable are recognized by the name it was compiled under, so compile under the default name.
  const draft = join(shop.folder, target.includes("windows") ? `${ENTRY_NAME}.exe` : ENTRY_NAME);
  onStep(`compiling for ${target.slice(4)}`);
  const metafile = await compileBridge(contents, { outfile: draft, target }, shop);
  const isRunnable = canRunHere(target);
  if (isRunnable) onStep(`testing the executable for ${target.slice(4)}`);
  if (isRunnable)
    await runSelfTest(
      draft,
      (hooks, to) => compileBridge({ ...contents, hooks }, { outfile: to, target }, shop, { callsOnly: true }),
      shop.folder,
    );
  // Rewriting the file in one go puts it into large page-cache pages, which makes every launch a fifth faster.
  const final = `${draft}.final`;
  writeFileSync(final, readFileSync(draft));
  removeLeftoverFile(draft);
  chmodSync(final, 0o755);
  replaceExecutable(final, file);
  return {
    outfile: file,
    target,
    bytes: statSync(file).size,
    hooks: contents.hooks.map(({ meta }) => meta.name),
    policy: contents.policy,
    metafile,
    tested: isRunnable,
  };
}

const FOLDER_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "its file system is read-only",
  ENOENT: "its file system doesn't allow new files",
};

/** Explains in plain words why a directory isn't writable. Returns other errors unchanged. */
function explainBuildError(error: NodeJS.ErrnoException, folder: string): Error {
  const { code, syscall } = error;
  if (code === "ENOSPC" || code === "EDQUOT") return new Error(`no space left in ${folder}; free up 500 MB`);
  if (code === "ENOTDIR" || code === "EEXIST") return new Error(`${folder} is not a directory; pass another --outfile`);
  if (syscall === "mkdir" || syscall === "mkdtemp" || syscall === "rename")
    return new Error(`${folder} is not writable (${FOLDER_ERRORS[code ?? ""] ?? code}); pass another --outfile`);
  return error;
}

const EMPTY_PROGRAM_SOURCE = `import { readFileSync, writeSync } from "node:fs";
JSON.parse(readFileSync(0, "utf8"));
writeSync(1, "{}");
process.exit(0);
`;

/**
 * Compiles an executable that reads stdin, parses it, prints "{}" and exits. Its run time shows what a call costs
 * without bridge-hooks.
 */
export async function compileEmptyProgram(outfile: string): Promise<string> {
  await withWorkshop(dirname(outfile), async (shop) => {
    const [entrypoint, draft] = [join(shop.folder, "floor.ts"), join(shop.folder, "floor")];
    writeFileSync(entrypoint, EMPTY_PROGRAM_SOURCE);
    await compileProgram(entrypoint, { outfile: draft, target: detectTarget() }, shop);
    writeFileSync(outfile, readFileSync(draft), { mode: 0o755 });
  });
  return outfile;
}
