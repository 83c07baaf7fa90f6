import { isDeepStrictEqual } from "node:util";
import { Option } from "clipanion";
import type { InstallScope } from "../../protocol/host/install.ts";
import { createInstallContext, type InstallContext } from "../../operate/machine/install-context.ts";
import { type FilePlan, formatDiff, hasFileChange, type PlanProblem } from "../../operate/machine/plan.ts";
import { withInstallLock } from "../../operate/machine/receipts.ts";
import { UserCommand } from "./command.ts";
import { confirmWithUser } from "./confirm.ts";
import { declareHosts, declareJson, HOST_IDS, splitIds } from "./options.ts";

/** A command that manages installations. */
export abstract class SetupCommand extends UserCommand {
  host = declareHosts(`Host: ${HOST_IDS} or auto (hosts on this machine)`);
  root = Option.String("--root", {
    description: "Use this directory instead of the home directory (user), the project (project, local) or / (managed)",
  });
  json = declareJson();

  get hostIds(): string[] {
    return splitIds(this.host);
  }

  createInstallContext(scope: InstallScope | undefined): Promise<InstallContext> {
    return createInstallContext(this.root, scope);
  }
}

interface ChangePlan {
  files: readonly FilePlan[];
  problems: readonly PlanProblem[];
}

/** A command that changes the hosts' configs after the user confirms. */
export abstract class ChangeCommand extends SetupCommand {
  abstract dryRun: boolean;
  abstract yes: boolean;

  /** @param otherChanges whether each change outside the plan's files would be made */
  mustConfirm({ files }: ChangePlan, ...otherChanges: readonly unknown[]): boolean {
    return !this.yes && !this.dryRun && (otherChanges.includes(true) || files.some(hasFileChange));
  }

  /** @throws Error if the user can't be prompted. */
  confirmChange(question: string): boolean {
    return confirmWithUser(question, this.json ? "json" : "text");
  }

  reportNothingWritten(): number {
    this.say("No changes made.");
    return 1;
  }

  /** Reports files that couldn't be written and returns the exit code. */
  reportProblems({ problems, files }: ChangePlan): number {
    if (problems.length === 0) return 0;
    const lines = problems.map(({ host, message }) => `bridge-hooks: ${host}: ${message}\n`);
    const hosts = [...new Set(problems.map(({ host }) => host))].join(", ");
    const outcome = files.some(hasFileChange) ? `not everything was written (${hosts})` : "nothing was written";
    this.context.stderr.write(`${lines.join("")}bridge-hooks: ${outcome}\n`);
    return 1;
  }
}

/** Formats a plan's changes as a unified diff. */
export const formatPlanDiff = ({ files }: ChangePlan): string =>
  files.filter(hasFileChange).map(formatDiff).join("").trimEnd() || "nothing to do";

const CHANGE_SYMBOLS = { add: "+", change: "~", remove: "-", keep: "=" } as const;

export const formatPlan = (files: readonly FilePlan[]): string =>
  files
    .map(({ host, file, changes, snapshot, after }) => {
      const summary =
        snapshot.text === after
          ? "nothing to do"
          : after === undefined
            ? "to be deleted, because it would be empty"
            : snapshot.text === undefined
              ? "a new file"
              : "";
      const lines = changes.flatMap(({ change, native_event, matcher, was }) => [
        `  ${CHANGE_SYMBOLS[change]} ${native_event}${matcher && matcher !== "*" ? ` (${matcher})` : ""}`,
        ...(was === undefined ? [] : [`      was: ${was}`]),
      ]);
      return [`${host.name}, ${file.scope}: ${file.path}${summary && ` (${summary})`}`, ...lines].join("\n");
    })
    .join("\n");

/**
 * Plans again while holding the user's installation lock, and applies the new plan.
 * @param confirmedPlan the plan that the user confirmed; if the new plan differs, nothing is written
 */
export const replanAndApply = <P extends ChangePlan>(
  context: InstallContext,
  plan: () => Promise<P>,
  write: (plan: P) => PlanProblem[],
  confirmedPlan?: P,
): Promise<P> =>
  withInstallLock(context.machine.env, async () => {
    const currentPlan = await plan();
    const listContents = ({ files }: ChangePlan) =>
      files.map(({ file, snapshot, after }) => [file.path, snapshot.text, after]);
    if (confirmedPlan && !isDeepStrictEqual(listContents(currentPlan), listContents(confirmedPlan)))
      throw new Error("a config file changed before you confirmed; no changes made, run the command again");
    const failedFiles = write(currentPlan);
    const isLeft = ({ file }: FilePlan) => failedFiles.some((failedFile) => failedFile.file === file.path);
    return {
      ...currentPlan,
      files: currentPlan.files.filter((plannedFile) => !isLeft(plannedFile)),
      problems: [...currentPlan.problems, ...failedFiles],
    };
  });
