import { Command, Option } from "clipanion";
import { hasFileChange, formatDiff } from "../../operate/machine/plan.ts";
import { collectStatus } from "../../operate/machine/status.ts";
import { planUninstall, applyUninstall, type UninstallPlan } from "./uninstall.ts";
import {
  confirmWithUser,
  replanAndApply,
  isInteractive,
  formatPlan,
  formatPlanProblems,
  parseScope,
  SetupCommand,
  type PolicyEffect,
} from "../terminal/command-options.ts";

export class UninstallCommand extends SetupCommand {
  static override paths = [["uninstall"]];
  static policyEffect: PolicyEffect = { changes: "changes how bridge-hooks is installed" };
  static override usage = Command.Usage({
    category: "install",
    description: "Remove this executable from the hosts' configs.",
    details: `
      Removes the entries that install wrote, or that call this executable, and nothing else. A file that nobody else has written to since becomes
      what it was, byte for byte.
    `,
    examples: [["From every host, for you", "bridge-hooks uninstall"]],
  });

  scope = Option.String("--scope", "user", { description: "user (default), project, local or managed" });
  event = Option.Array("--event", [], { description: "Only this event; may be repeated" });
  dryRun = Option.Boolean("--dry-run", false, { description: "Only show the changes, as a unified diff" });
  yes = Option.Boolean("--yes,-y", false, { description: "Don't ask" });

  async work(): Promise<number> {
    const scope = parseScope(this.scope);
    const context = this.createInstallContext(scope);
    const planAgain = () => planUninstall({ hosts: this.hostIds, scope, events: this.event }, context);
    const draft = await planAgain();
    const asks = this.mustConfirm(draft);
    if (asks) {
      this.say(formatPlan(draft.files));
      if (!confirmWithUser("Remove this?")) return this.reportNothingWritten();
    }
    const write = (plan: UninstallPlan) => applyUninstall(plan, context);
    const plan = this.dryRun ? draft : await replanAndApply(context, planAgain, write, asks ? draft : undefined);
    if (this.json) this.say(JSON.stringify(this.formatData(plan), null, 2));
    if (plan.problems.length > 0) {
      this.context.stderr.write(`${formatPlanProblems(plan.problems)}bridge-hooks: nothing was written\n`);
      return 1;
    }
    if (this.json) return 0;
    if (this.dryRun) {
      this.context.stdout.write(plan.files.filter(hasFileChange).map(formatDiff).join("") || "nothing to do\n");
      return 0;
    }
    if (!asks) this.say(formatPlan(plan.files) || `No ${scope} config has a bridge-hooks entry.`);
    const count = plan.files.length;
    if (count > 0) this.say(`\nRemoved from ${count} ${count === 1 ? "file" : "files"}.`);
    if (this.root === undefined) await this.reportOtherScopes();
    return 0;
  }

  private mustConfirm({ problems, files }: UninstallPlan): boolean {
    const isSilent = this.yes || this.json || this.dryRun;
    return !isSilent && isInteractive() && problems.length === 0 && files.length > 0;
  }

  private async reportOtherScopes(): Promise<void> {
    const { installed } = await collectStatus({ hosts: this.hostIds }, this.createInstallContext(undefined), "");
    for (const left of installed) this.say(`Still there, ${left.scope}: ${left.file}`);
  }

  formatData({ files, problems }: UninstallPlan) {
    return {
      written: !this.dryRun && problems.length === 0 && files.length > 0,
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
