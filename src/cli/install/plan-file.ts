import type { HostDoctor } from "../../protocol/host/install.ts";
import { readConfigFile } from "../../operate/machine/files.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
import {
  type FilePlan,
  type HostFile,
  explainObstacle,
  findConfigFlaws,
  affectsOnlyPart,
  planEdit,
  type PlanProblem,
} from "../../operate/machine/plan.ts";

/** Splits a multi-line error into one problem per line. */
export const splitProblems = ({ host, file }: HostFile, { message }: Error): PlanProblem[] =>
  message.split("\n").map((line) => ({ host: host.id, file: file.path, message: line }));

/**
 * Plans one file's entries.
 * @throws Error if the file can't be changed, or if the host would ignore the changed file.
 */
export function planFile(
  target: HostFile,
  check: HostDoctor,
  context: InstallContext,
  edit: Parameters<typeof planEdit>[2],
): FilePlan {
  const content = readConfigFile(target.file.path);
  const obstacle = explainObstacle(target, content, context);
  if (obstacle) throw new Error(obstacle);
  const flaws = findConfigFlaws(check, target.file, content).filter((flaw) => !affectsOnlyPart(flaw));
  const refusal = flaws.map(({ line }) => line).join("\n");
  let plan: FilePlan;
  try {
    plan = planEdit(target, context, edit);
  } catch (error) {
    throw new Error(refusal || (error as Error).message);
  }
  // In a user-edited config, adding the entries might fix the problem.
  if (refusal && typeof target.file.syntax === "object") throw new Error(refusal);
  const finalFile = { ...content, ...(plan.after !== undefined && { text: plan.after }) };
  if (refusal && findConfigFlaws(check, target.file, finalFile).some((flaw) => !affectsOnlyPart(flaw)))
    throw new Error(refusal);
  return plan;
}
