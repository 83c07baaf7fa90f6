import { findAnswerProblems } from "./answers/find-answer-problems.ts";
import { findTypeProblems } from "./check-types.ts";
import { type SourceProblem, SourceProblemsError } from "./problem.ts";
import type { Workshop } from "./workshop.ts";

/**
 * Checks the types of hook modules, and that they return the responses they create.
 * @throws SourceProblemsError for problems in the modules and in the local files that they import.
 */
export async function checkModules(files: readonly string[], shop: Workshop): Promise<void> {
  const [answers, types] = await Promise.all([findAnswerProblems(files, shop), findTypeProblems(files, shop)]);
  const toKey = ({ file, line }: SourceProblem) => `${file}:${line}`;
  const known = new Set(answers.map(toKey));
  const wrongFiles = new Set(answers.map(({ file }) => file));
  // Drop type errors on the same lines, which don't say how to fix them, and errors that only name the whole
  // handler.
  const isKnown = (one: SourceProblem) =>
    known.has(toKey(one)) ||
    (wrongFiles.has(one.file) && /' is not assignable to type '[^']*\b(?:Handler|HookResult)</.test(one.message));
  const problems = [...answers, ...types.filter((one) => !isKnown(one))];
  if (problems.length > 0) throw new SourceProblemsError(problems);
}
