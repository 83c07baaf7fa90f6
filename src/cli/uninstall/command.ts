import { formatCount, formatJson } from "../../operate/text.ts";
import { Command, Option } from "clipanion";
import { formatDiff } from "../../operate/machine/plan.ts";
import { collectStatus } from "../../operate/machine/status.ts";
import { planUninstall, applyUninstall, type UninstallPlan } from "./uninstall.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import { declareDryRun, declareYes, parseScope } from "../terminal/options.ts";
import { replanAndApply, formatPlan, formatPlanDiff, ChangeCommand } from "../terminal/setup-command.ts";
import { confirmWithUser } from "../terminal/confirm.ts";

export class UninstallCommand extends ChangeCommand {
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
  dryRun = declareDryRun();
  yes = declareYes();

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
    if (this.json) this.say(formatJson(this.formatData(plan)));
    const code = this.reportProblems(plan);
    if (this.json) return code;
    if (this.dryRun) {
      this.say(formatPlanDiff(plan));
      return code;
    }
    if (plan.files.length === 0 && code !== 0) return code;
    if (!asks) this.say(formatPlan(plan.files) || `No ${scope} config has a bridge-hooks entry.`);
    const count = plan.files.length;
    if (count > 0) this.say(`\nRemoved from ${formatCount(count, "file")}.`);
    if (this.root === undefined) await this.reportOtherScopes();
    return code;
  }

  private async reportOtherScopes(): Promise<void> {
    const { installed } = await collectStatus({ hosts: this.hostIds }, this.createInstallContext(undefined), "");
    for (const left of installed) this.say(`Still there, ${left.scope}: ${left.file}`);
  }

  formatData({ files, problems }: UninstallPlan) {
    return {
      written: !this.dryRun && files.length > 0,
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
