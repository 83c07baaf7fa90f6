import { existsSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { formatCount, formatJson } from "../../operate/text.ts";
import { Command, Option } from "clipanion";
import { listExecutableCopies } from "../../operate/machine/copies.ts";
import { formatDiff } from "../../operate/machine/plan.ts";
import { collectStatus } from "../../operate/machine/status.ts";
import { planUninstall, applyUninstall, type UninstallPlan } from "./uninstall.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import type { InstallScope } from "../../protocol/host/install.ts";
import { getOwnCommand, quoteTyped } from "../../system/own-command.ts";
import { formatPath } from "../terminal/layout.ts";
import {
  type DeletedState,
  deleteRemainingState,
  findRemainingState,
  type RemainingState,
  listKeptFiles,
  refuseManagedLog,
} from "./purge.ts";
import { declareDryRun, declareYes, parseScope } from "../terminal/options.ts";
import { replanAndApply, formatPlan, formatPlanDiff, ChangeCommand } from "../terminal/setup-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class UninstallCommand extends ChangeCommand {
  static override paths = [["uninstall"]];
  static policyEffect: PolicyEffect = { changes: "changes how bridge-hooks is installed" };
  static override usage = Command.Usage({
    category: "install",
    description: "Remove this executable from the hosts' configs.",
    details: formatDetails(
      [
        "Removes only entries that install wrote and entries that call this executable.",
        "If nothing else has changed a file since the installation, the file is restored byte for byte.",
      ],
      [
        "The decision log and the state are kept.",
        "--purge deletes them together with all exceptions; it first lists the files, and deletes only files that bridge-hooks wrote.",
        "Config files and this executable are always kept, and the output names them.",
      ],
    ),
    examples: [["Uninstall from every host for the current user", "bridge-hooks uninstall"]],
  });

  scope = Option.String("--scope", "user", { description: "Scope: user (default), project, local or managed" });
  event = Option.Array("--event", [], { description: "Only remove this event; may be repeated" });
  purge = Option.Boolean("--purge", false, {
    description: "Also delete the decision log, the state and all exceptions",
  });
  dryRun = declareDryRun();
  yes = declareYes();

  async work(): Promise<number> {
    const scope = parseScope(this.scope);
    if (this.purge) await this.checkPurge(scope);
    const remainingState = findRemainingState(process.env);
    const copies = listExecutableCopies(process.env);
    const context = await this.createInstallContext(scope);
    const planAgain = () => planUninstall({ hosts: this.hostIds, scope, events: this.event }, context);
    const draft = await planAgain();
    const mustAsk = this.mustConfirm(draft, this.purge && remainingState.paths.length > 0);
    if (mustAsk && !this.confirm(draft, remainingState)) return this.reportNothingWritten();
    const write = (plan: UninstallPlan) => applyUninstall(plan, context);
    const plan = this.dryRun ? draft : await replanAndApply(context, planAgain, write, mustAsk ? draft : undefined);
    const code = this.reportProblems(plan);
    const mayPurge = this.purge && !this.dryRun && code === 0;
    const deletedState = mayPurge ? deleteRemainingState(process.env) : undefined;
    if (this.json)
      this.write(
        formatJson({
          ...this.formatData(plan, this.dryRun ? "planned" : "done"),
          ...(deletedState && { purged: deletedState, kept: listKeptFiles(process.cwd()) }),
        }),
      );
    else if (this.dryRun) this.write([formatPlanDiff(plan), ...this.listDeletions(remainingState)].join("\n"));
    else if (plan.files.length > 0 || code === 0) {
      if (!mustAsk) this.say(formatPlan(plan.files) || `No ${scope} config has a bridge-hooks entry.`);
      if (plan.files.length > 0) this.say(`\nRemoved from ${formatCount(plan.files.length, "file")}.`);
      if (this.root === undefined) await this.reportRemainingPrograms(draft, copies);
      this.reportState(deletedState);
    }
    return code;
  }

  private confirm(draft: UninstallPlan, remainingState: RemainingState): boolean {
    if (this.json) this.write(formatJson(this.formatData(draft, "planned")));
    else this.say([formatPlan(draft.files), ...this.listDeletions(remainingState)].filter(Boolean).join("\n"));
    return this.confirmChange("Remove this?");
  }

  /** @throws Error if the log and the state must not be deleted. */
  private async checkPurge(scope: InstallScope): Promise<void> {
    if (scope !== "user" || this.root !== undefined || this.hostIds.length > 0 || this.event.length > 0)
      throw new Error("--purge deletes the log of all hosts; leave out --scope, --root, --host and --event");
    await refuseManagedLog();
  }

  private listDeletions({ paths }: RemainingState): string[] {
    return this.purge && paths.length > 0 ? ["Also deleted:", ...paths.map((path) => `  - ${formatPath(path)}`)] : [];
  }

  /** Reports the deleted data. If data remains, reports how to delete it. */
  private reportState(deletedState: DeletedState | undefined): void {
    if (this.root !== undefined) return;
    const { folders, others } = findRemainingState(process.env);
    const { deleted = [], installed = [] } = deletedState ?? {};
    if (deleted.length > 0) this.say(["Deleted:", ...deleted.map((path) => `  - ${formatPath(path)}`)].join("\n"));
    if (installed.length > 0)
      this.say(`Kept the receipts needed to remove the remaining entries: ${installed.map(formatPath).join(", ")}`);
    if (this.purge && others.length > 0)
      this.say(`Kept, not written by bridge-hooks: ${others.map(formatPath).join(", ")}`);
    const keptFiles = this.purge ? listKeptFiles(process.cwd()) : [];
    if (keptFiles.length > 0)
      this.say(
        ["Kept; delete these files manually:", ...keptFiles.map((path) => `  - ${formatPath(path)}`)].join("\n"),
      );
    if (!this.purge && folders.length > 0)
      this.say(
        `The decision log and state remain in ${folders.map(formatPath).join(" and ")}; to delete them: ${getOwnCommand()} uninstall --purge`,
      );
  }

  /**
   * Lists the executables that entries called or that `install` copied, with the command that deletes them. Those owned
   * by a package manager are left to it.
   */
  private async reportRemainingPrograms({ files }: UninstallPlan, copies: readonly string[]): Promise<void> {
    if ((await this.reportOtherScopes()) > 0) return;
    const { explainOwner } = await import("../../operate/update/owner.ts");
    const programs = [...new Set([...files.flatMap(({ receipt }) => receipt?.program ?? []), ...copies])].filter(
      (program) => isAbsolute(program) && existsSync(program) && explainOwner(realpathSync(program), []) === undefined,
    );
    for (const program of programs)
      this.say(
        `The executable remains; to delete it: ${process.platform === "win32" ? "del" : "rm"} ${quoteTyped(program)}`,
      );
  }

  /** Reports the requested hosts' remaining entries, and returns how many entries remain in total. */
  private async reportOtherScopes(): Promise<number> {
    const { installed } = await collectStatus({ hosts: [] }, await this.createInstallContext(undefined), "");
    const hostIds = this.hostIds.filter((id) => id !== "auto");
    for (const entry of installed.filter(({ host }) => hostIds.length === 0 || hostIds.includes(host)))
      this.say(
        `Remaining entries, ${entry.plugin ? `plugin ${entry.plugin.id}` : entry.scope}: ${entry.file}${entry.plugin ? ` (${entry.plugin.removal})` : ""}`,
      );
    return installed.length;
  }

  formatData({ files, problems }: UninstallPlan, state: "planned" | "done") {
    return {
      written: state === "done" && files.length > 0,
      files: files.map((plan) => ({
        host: plan.host.id,
        scope: plan.file.scope,
        file: plan.file.path,
        entries: plan.changes,
        ...(this.dryRun && { diff: formatDiff(plan) }),
      })),
      problems,
    };
  }
}
