import { readFileSync, writeFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import ts from "typescript";
import type { SourceProblem } from "../problem.ts";
import { type AnswerFault, createAnswerTypes } from "./answer-types.ts";
import { findWrongAnswers } from "./handler-answers.ts";
import { findUnreturnedAnswers } from "./lost-answers.ts";

/** This process's job, passed as JSON. */
export interface AnswersJob {
  files: readonly string[];
  /** The path of the `bridge-hooks` declarations. */
  declarations: string;
  /** Directories whose files the author didn't write. */
  others: readonly string[];
  paths: Record<string, string[]>;
}

/** Finds responses that hook modules create but don't return. Runs as a separate process. */
const [from = "", to = ""] = process.argv.slice(2);
const { files, declarations, others, paths } = JSON.parse(readFileSync(from, "utf8")) as AnswersJob;

/** Declares timers, so that the checker knows they ignore their callbacks' return values. */
const TIMER_DECLARATIONS = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]
  .map((name) => `declare function ${name}(callback: (...values: any[]) => void, ...rest: any[]): any;\n`)
  .join("");
const GLOBALS_FILE = `${declarations}.globals.d.ts`;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  allowJs: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  lib: ["lib.esnext.d.ts"],
  types: [],
  maxNodeModuleJsDepth: 0,
  paths,
};

/**
 * Any module that returns a response contains at least one of these words; modules with none are skipped to save time.
 */
const ANSWER_WORDS =
  /\b(?:defineHook|IHookResponse|HookResult|decision|modified_\w+|user_message|additional_context|session_env|(?:deny|ask|allow|warn|context|modify|modifyOutput)\()/;

writeFileSync(GLOBALS_FILE, TIMER_DECLARATIONS);
const program = ts.createProgram([declarations, GLOBALS_FILE, ...files], options);
const types = createAnswerTypes(program.getTypeChecker());
const problems = program
  .getSourceFiles()
  .filter((source) => isAuthorFile(source) && ANSWER_WORDS.test(source.text))
  .flatMap((source) => {
    const lostAnswers = findUnreturnedAnswers(source, types);
    return [
      ...lostAnswers.flatMap(locateLostAnswer),
      ...findWrongAnswers(source, types, lostAnswers).flatMap(locateFault),
    ];
  });
writeFileSync(to, JSON.stringify(problems));
process.exit(0);

function isAuthorFile({ fileName, isDeclarationFile }: ts.SourceFile): boolean {
  if (isDeclarationFile || /\.json$|[\\/]node_modules[\\/]/.test(fileName)) return false;
  return !others.some((folder) => resolve(fileName).startsWith(folder + sep));
}

/**
 * Locates a lost response and the start of the enclosing function, where the type checker might report a missing return
 * value.
 */
function locateLostAnswer(fault: AnswerFault): SourceProblem[] {
  const source = fault.node.getSourceFile();
  const enclosing = ts.findAncestor(fault.node, ts.isFunctionLike);
  const start = (enclosing?.name ?? enclosing)?.getStart();
  const functionLine = start === undefined ? undefined : source.getLineAndCharacterOfPosition(start).line + 1;
  return locateFault(fault).map((problem) => ({ ...problem, ...(functionLine !== undefined && { functionLine }) }));
}

function locateFault({ node, message }: AnswerFault): SourceProblem[] {
  const source = node.getSourceFile();
  if (!isAuthorFile(source)) return [];
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
  return [{ file: resolve(source.fileName), line: line + 1, column: character + 1, message }];
}
