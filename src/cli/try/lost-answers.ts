import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { HookSet } from "../find-hooks.ts";
import { findAnswerProblems } from "../build/answers/find-answer-problems.ts";
import { formatSourceProblems } from "../build/problem.ts";
import { withWorkshop } from "../build/workshop.ts";
import type { TryReport } from "./report.ts";

/**
 * Finds responses that modules create but don't return, in hooks that ran and returned nothing.
 * @returns The problems that `build` would report, one per line; undefined if there are none.
 */
export async function findLostAnswers({ files }: HookSet, report: TryReport): Promise<string | undefined> {
  const asked = report.hosts.flatMap(({ calls }) => calls.flatMap(({ hooks }) => hooks));
  const silent = asked.filter(({ matched, response }) => matched && Object.keys(response).length === 0);
  const modules = [...new Set(silent.flatMap(({ name }) => files.get(name) ?? []))].map((file) => resolve(file));
  if (modules.length === 0) return undefined;
  const problems = await withWorkshop(tmpdir(), (shop) => findAnswerProblems(modules, shop));
  return problems.length === 0 ? undefined : formatSourceProblems(problems);
}
