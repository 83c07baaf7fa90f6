import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { hosts } from "../../hosts/index.ts";
import { summarizeException } from "../allow/text.ts";
import { qualifyCommands, type InstallContext } from "../../operate/machine/install-context.ts";
import { formatPolicy } from "../../operate/policy/identity.ts";
import {
  type InstalledConfig,
  formatReinstallCommand,
  type Status,
  collectStatus,
} from "../../operate/machine/status.ts";
import { escapeTexts, formatJson } from "../../operate/text.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import { parseScope } from "../terminal/options.ts";
import { SetupCommand } from "../terminal/setup-command.ts";

const getHostName = (id: string) => hosts.find((host) => host.id === id)?.name ?? id;

export class StatusCommand extends SetupCommand {
  static override paths = [["status"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "install",
    description: "Show where this executable is installed, and what has drifted.",
    details:
      "Exit code 1 when an entry lacks an event that the compiled-in hooks subscribe to, or is not as this executable would write it. Whether a denial holds is shown by doctor.",
    examples: [["Every installation on this machine", "bridge-hooks status"]],
  });

  override root = Option.String("--root", {
    description: "Instead of the project's folder; with --scope user the home folder, with managed /",
  });
  scope = Option.String("--scope", { description: "Only user, project, local or managed" });

  async work(): Promise<number> {
    const scope = this.scope === undefined ? undefined : parseScope(this.scope);
    const world = this.createInstallContext(scope);
    const status = await collectStatus(
      { hosts: this.hostIds, scope, all: this.root !== undefined },
      world,
      pkg.version,
    );
    this.say(this.json ? formatJson(status) : qualifyCommands(formatStatus(escapeTexts(status), world), world));
    return status.unreadable.length > 0 || status.installed.some(({ drift }) => drift.length > 0) ? 1 : 0;
  }
}

function formatStatus({ policy, exceptions, installed, unreadable, bare }: Status, context: InstallContext): string {
  const lines = [
    ...installed.map((one) => formatInstallation(one, context)),
    ...unreadable.map(({ host, file, message }) => `${getHostName(host)}: ${file} can't be read: ${message}`),
    ...bare.map((host) => `${getHostName(host)}: not installed; bridge-hooks install --host ${host}`),
  ];
  const allowed = [
    ...exceptions.exceptions.map(summarizeException),
    ...exceptions.voids.map(({ path, flaw }) => `does not count as an exception: ${path}: ${flaw}`),
  ];
  return `${[`policy: ${formatPolicy(policy)}`, ...allowed].join("\n")}\n\n${lines.join("\n") || "no host was found on this machine"}`;
}

function formatInstallation(
  { host, scope, file, events, programs, onError, drift, notes }: InstalledConfig,
  { self }: InstallContext,
): string {
  const others = programs.flatMap(({ program, other }) => (other ? [program] : []));
  const again = formatReinstallCommand(host, scope, onError);
  return [
    `${getHostName(host)}, ${scope}: ${file}`,
    `  events      ${events.join(", ")}`,
    ...programs.map(({ program, version }) => `  executable  ${program}${version ? ` ${version}` : ""}`),
    `  on failure  ${onError === "deny" ? "a call is denied" : "a call passes"}`,
    ...others.map(
      (program) =>
        `  note        it calls ${program}, not this executable (${self}): its hooks are in force instead of these`,
    ),
    ...notes.map((line) => `  note        ${line}`),
    ...drift.map((line) => `  drift       ${line}`),
    ...(drift.length > 0
      ? [`  fix         ${again}`]
      : others.length > 0
        ? [`  fix         ${again} puts this one in their place`]
        : []),
  ].join("\n");
}
