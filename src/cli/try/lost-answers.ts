import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { policy } from "../../call/built/policy.ts";
import type { HookSet } from "../find-hooks.ts";
import { findAnswerProblems } from "../build/answers/find-answer-problems.ts";
import { hashHookSources } from "../build/hook-sources.ts";
import { formatSourceProblems } from "../build/problem.ts";
import { withWorkshop } from "../build/workshop.ts";

/** The result of the check for unreturned responses. */
export interface AnswerCheck {
  /** The problems that `build` would report, one per line, or the reason why the check couldn't run. */
  text?: string;
  isWrong: boolean;
}

/**
 * Finds responses that modules create but don't return, unless a build has checked the same sources. The check runs in
 * another process while the hooks run in this one.
 */
export async function checkAnswers({ files, folder }: HookSet): Promise<AnswerCheck> {
  const modules = [...new Set(files.values())].map((file) => resolve(file));
  if (folder === undefined || modules.length === 0 || isCheckedByBuild(folder)) return { isWrong: false };
  try {
    const problems = await withWorkshop(tmpdir(), (shop) => findAnswerProblems(modules, shop));
    return problems.length === 0 ? { isWrong: false } : { isWrong: true, text: formatSourceProblems(problems) };
  } catch (error) {
    const reason = (error as Error).message.replace(/; to skip (?:it|the check): --no-check$/, "");
    return { isWrong: false, text: `the hooks' responses were not checked: ${reason}` };
  }
}

/** Whether this executable was built from the same sources with checks. */
function isCheckedByBuild(folder: string): boolean {
  try {
    return policy?.checked === true && hashHookSources(folder) === policy.sources;
  } catch {
    return false;
  }
}
