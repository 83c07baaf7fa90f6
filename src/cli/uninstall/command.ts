import { Command, Option } from "clipanion";
import { hasFileChange, formatDiff } from "../host-config/plan.ts";
import { collectStatus } from "../status/status.ts";
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
    const world = this.createInstallContext(scope);
    const make = () => planUninstall({ hosts: this.hostIds, scope, events: this.event }, world);
    let plan = await make();
    const asks =
      isInteractive() && !this.yes && !this.json && !this.dryRun && plan.problems.length === 0 && plan.files.length > 0;
    if (asks) {
      this.say(formatPlan(plan.files));
      if (!confirmWithUser("Remove this?")) return this.reportNothingWritten();
    }
    if (!this.dryRun)
      plan = await replanAndApply(world, make, (now) => applyUninstall(now, world), asks ? plan : undefined);
    if (this.json) this.say(JSON.stringify(this.formatData(plan), null, 2));
    if (plan.problems.length > 0) {
      this.context.stderr.write(`${formatPlanProblems(plan.problems)}bridge-hooks: nothing was written\n`);
      return 1;
    }
    if (this.json) return 0;
    if (this.dryRun)
      this.context.stdout.write(plan.files.filter(hasFileChange).map(formatDiff).join("") || "nothing to do\n");
    else if (!asks) this.say(formatPlan(plan.files) || `No ${scope} config has a bridge-hooks entry.`);
    const count = plan.files.length;
    if (!this.dryRun && count > 0) this.say(`\nRemoved from ${count} ${count === 1 ? "file" : "files"}.`);
    if (this.dryRun || this.root !== undefined) return 0;
    const { installed } = await collectStatus({ hosts: this.hostIds }, this.createInstallContext(undefined), "");
    for (const left of installed) this.say(`Still there, ${left.scope}: ${left.file}`);
    return 0;
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
