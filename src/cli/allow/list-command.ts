import { Command } from "clipanion";
import { describeTerminal } from "../terminal/terminal.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { formatJson } from "../../operate/text.ts";
import { declareJson } from "../terminal/options.ts";

/** The maximum number of denied calls to show. */
const MAX_SHOWN_CALLS = 10;

export class AllowListCommand extends UserCommand {
  static override paths = [["allow", "list"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "List exceptions, and denied calls that can be allowed.",
    details: "Expired and used exceptions are shown one last time and then removed.",
    examples: [["List what is currently allowed, and why", "bridge-hooks allow list"]],
  });

  json = declareJson();

  async work(): Promise<number> {
    const { collectExceptions } = await import("../../operate/policy/exceptions.ts");
    const { removeExceptions, removeOrphanedClaims } = await import("./make.ts");
    const { openConfigFiles } = await import("../../policy/files.ts");
    const { listConfigExceptions } = await import("./config-exceptions.ts");
    const { formatExceptions } = await import("./text.ts");
    const { getOwner, listAllowableCalls } = await import("./waiting-calls.ts");
    const report = await collectExceptions();
    const listedIds = new Set(report.exceptions.map(({ exception }) => exception.id));
    const configExceptions = await listConfigExceptions(openConfigFiles(process.cwd()));
    const deniedCalls = [...listAllowableCalls(getOwner())]
      .filter(({ id }) => !listedIds.has(id))
      .slice(0, MAX_SHOWN_CALLS);
    if (this.json) this.write(formatJson({ ...report, configured: configExceptions, waiting: deniedCalls }));
    else
      this.showText(
        formatExceptions({ ...report, configured: configExceptions }, deniedCalls, describeTerminal()).trimEnd(),
      );
    const endedExceptions = report.exceptions.filter(({ state }) => state === "ended" || state === "used");
    const ids = new Set(endedExceptions.map(({ exception }) => exception.id));
    const activeIds = new Set(report.exceptions.map(({ exception }) => exception.id).filter((id) => !ids.has(id)));
    removeExceptions(({ id, user }) => ids.has(id) && user === undefined);
    removeOrphanedClaims(activeIds);
    return 0;
  }
}
