import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { SourceProblem } from "./problem.ts";
import { hasPackage, PROVIDED_PACKAGES } from "./provided.ts";
import { unpackDeclarations } from "./sources.ts";
import type { Workshop } from "./workshop.ts";

const DEFAULT_OPTIONS = {
  target: "ESNext",
  module: "Preserve",
  moduleResolution: "Bundler",
  lib: ["ESNext"],
  strict: true,
  noImplicitReturns: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
};

const CHECK_TIMEOUT_MS = 120_000;

/**
 * Type-checks hook modules with Bun's built-in checker, using the embedded declarations and the options of the nearest
 * tsconfig.json, if any.
 * @param modules TypeScript and JavaScript files; JavaScript is skipped
 * @returns Problems in the modules and in the local files they import.
 * @throws Error if the check can't run.
 */
export async function findTypeProblems(modules: readonly string[], shop: Workshop): Promise<SourceProblem[]> {
  const files = modules.filter((file) => /\.[cm]?ts$/.test(file));
  const [first] = files;
  if (first === undefined) return [];
  const folder = join(shop.folder, "check");
  const tsconfig = findTsconfig(dirname(first));
  mkdirSync(folder);
  await unpackDeclarations(shop.program);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(createTsconfig(files, tsconfig, shop.program, folder)));
  const args = ["check", "--no-script", "--no-pretty", "--all", "-p", folder];
  const { exitCode, timedOut, stdout, stderr } = await shop.bun(args, {
    cwd: folder,
    output: "pipe",
    timeout: CHECK_TIMEOUT_MS,
  });
  if (timedOut) throw new Error("the type check took too long; to skip it: --no-check");
  const problems = parseProblems(stdout, folder, tsconfig ?? first)
    .filter(({ file }) => isAuthorFile(file, shop))
    .map((problem) => ({ ...problem, message: explainTypeError(problem.message) }));
  if (problems.length === 0 && exitCode > 1)
    throw new Error(`the types could not be checked (${stderr.trim()}); to skip the check: --no-check`);
  return problems;
}

/** Whether a file is the author's own, not part of this product or a package. */
const isAuthorFile = (file: string, { folder, program }: Workshop) =>
  !/[\\/]node_modules[\\/]/.test(file) &&
  ![folder, join(program, "src")].some((ownFolder) => file.startsWith(ownFolder + sep));

function createTsconfig(
  files: readonly string[],
  tsconfig: string | undefined,
  program: string,
  folder: string,
): object {
  const modules = join(program, "node_modules");
  const missingPackages = PROVIDED_PACKAGES.filter((name) => !hasPackage(dirname(files[0] as string), name)).map(
    (name) => [name, [join(modules, name)]],
  );
  cpSync(join(program, "src/cli/build/types/bridge-hooks.d.txt"), join(folder, "types/bridge-hooks/index.d.ts"));
  return {
    ...(tsconfig && { extends: tsconfig }),
    compilerOptions: {
      ...(tsconfig ? {} : DEFAULT_OPTIONS),
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
      typeRoots: [join(folder, "types"), modules, join(modules, "@types")],
      types: ["bridge-hooks", "bun-types"],
      paths: {
        ...Object.fromEntries(missingPackages),
        ...(tsconfig && readPathMappings(tsconfig)),
      },
    },
    files,
    // Include the author's own declarations, for instance for untyped packages.
    include: [`${dirname(files[0] as string)}/**/*.d.ts`],
    exclude: ["**/node_modules"],
  };
}

/**
 * Reads a tsconfig's path mappings. A tsconfig that extends it must copy them, because its own mappings replace the
 * inherited ones.
 */
export function readPathMappings(file: string): Record<string, string[]> {
  try {
    const { compilerOptions: { baseUrl = ".", paths = {} } = {} } = Bun.JSONC.parse(readFileSync(file, "utf8")) as {
      compilerOptions?: { baseUrl?: string; paths?: Record<string, string[]> };
    };
    const absolute = (path: string) => resolve(dirname(file), baseUrl, path);
    return Object.fromEntries(Object.entries(paths).map(([name, places]) => [name, places.map(absolute)]));
  } catch {
    // The checker reports errors in the tsconfig itself.
    return {};
  }
}

/** Finds the nearest tsconfig.json in a directory or its parents. */
export function findTsconfig(folder: string): string | undefined {
  const file = join(folder, "tsconfig.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : findTsconfig(dirname(folder));
}

/** Matches the error about an untyped package, which names an internal file and a command that may not be installed. */
const UNTYPED_MODULE = /^TS7016: Could not find a declaration file for module '([^']+)'.*?(?:`bun add -d ([^`]+)`.*)?$/;

/** Rewrites a type checker's message so that it says what to do without advising the user to run Bun. */
function explainTypeError(message: string): string {
  const [, module, declarations] = UNTYPED_MODULE.exec(message) ?? [];
  if (module !== undefined) {
    const install = declarations === undefined ? "" : `try "npm i -D ${declarations}", `;
    return `TS7016: "${module}" has no types; ${install}declare it in a .d.ts file next to the hook (declare module "${module}";), or build with --no-check`;
  }
  if (message.startsWith("TS7030:"))
    return `${message.replace(/\.$/, "")}; return a response there, or write "return undefined;" at the end for no opinion`;
  const shortened = message
    .replace(/IHookResponse<Partial<\{[^{}]*\}>>/g, "IHookResponse")
    .replace(/ on type '\(?(EventBase<"\w+">[^']*)'/, (_, type: string) => ` on ${describeEvents(type)}`);
  return shortened.replaceAll("bun add -d", "npm i -D");
}

/** Replaces an event's type with the event's name, which is shorter than a list of its fields. */
function describeEvents(type: string): string {
  const names = [...new Set([...type.matchAll(/EventBase<"(\w+)">/g)].map(([, name]) => name))];
  return names.length === 1 && !type.includes("...")
    ? `the ${names[0]} event`
    : "every event that this hook may receive";
}

/** Parses the checker's output: one line per problem, followed by indented continuation lines. */
function parseProblems(output: string, folder: string, fallback: string): SourceProblem[] {
  const problems: SourceProblem[] = [];
  for (const line of output.split("\n")) {
    const [, file, row, column, message] = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+: .*)$/.exec(line) ?? [];
    const lastProblem = problems.at(-1);
    if (message !== undefined)
      problems.push({
        file: file ? resolve(folder, file) : fallback,
        line: Number(row ?? 1),
        column: Number(column ?? 1),
        message,
      });
    else if (lastProblem && /^\s+\S/.test(line)) lastProblem.message += ` ${line.trim()}`;
  }
  return problems;
}
