import { findAnswerProblems } from "./answers/find-answer-problems.ts";
import { findTypeProblems } from "./check-types.ts";
import { type SourceProblem, SourceProblemsError } from "./problem.ts";
import type { Workshop } from "./workshop.ts";

/**
 * Type-checks hook modules and checks that they return the responses they create.
 * @param exportProblems problems already found in the modules' exports
 * @throws SourceProblemsError for problems in the modules and in the local files they import.
 */
export async function checkModules(
  files: readonly string[],
  shop: Workshop,
  exportProblems: readonly SourceProblem[] = [],
): Promise<void> {
  const [answers, types] = await Promise.all([findAnswerProblems(files, shop), findTypeProblems(files, shop)]);
  const problems = omitRepeatedProblems(exportProblems, answers, types);
  if (problems.length > 0) throw new SourceProblemsError(problems);
}

const toLine = ({ file, line }: SourceProblem) => `${file}:${line}`;
const toPosition = ({ file, line, column }: SourceProblem) => `${file}:${line}:${column}`;

/** Matches type errors caused by an unknown event type: missing properties and implicit `any` parameters. */
const UNKNOWN_EVENT_TYPE_ERROR = /^TS(?:2339|2551|7006|7031):/;
/** Matches a type error about a handler as a whole, which doesn't locate the mistake. */
const HANDLER_TYPE_ERROR = /' is not assignable to type '[^']*\b(?:Handler|HookResult)</;

/** Keeps one problem per mistake. Prefers other problems to type errors, whose messages don't suggest a fix. */
function omitRepeatedProblems(
  exportProblems: readonly SourceProblem[],
  answers: readonly SourceProblem[],
  types: readonly SourceProblem[],
): SourceProblem[] {
  const clearProblems = [...exportProblems, ...answers];
  const lines = new Set(clearProblems.map(toLine));
  const wrongFiles = new Set(answers.map(({ file }) => file));
  const filesWithHiddenTypes = new Set(exportProblems.filter(({ hidesTypes }) => hidesTypes).map(({ file }) => file));
  const losingFunctions = new Set(answers.map(({ file, functionLine }) => `${file}:${functionLine}`));
  const isRepeated = (problem: SourceProblem) =>
    lines.has(toLine(problem)) ||
    (wrongFiles.has(problem.file) && HANDLER_TYPE_ERROR.test(problem.message)) ||
    (filesWithHiddenTypes.has(problem.file) && UNKNOWN_EVENT_TYPE_ERROR.test(problem.message)) ||
    (problem.message.startsWith("TS7030:") && losingFunctions.has(toLine(problem)));
  const remainingProblems = [...clearProblems, ...types.filter((problem) => !isRepeated(problem))];
  return [...new Map(remainingProblems.toReversed().map((problem) => [toPosition(problem), problem])).values()];
}
