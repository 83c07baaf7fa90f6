import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { hosts } from "../../hosts/index.ts";
import { summarizeException } from "../allow/text.ts";
import type { InstallContext } from "../../operate/machine/install-context.ts";
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
import { getOwnCommand, qualifyCommands } from "../../system/own-command.ts";

const getHostName = (id: string) => hosts.find((host) => host.id === id)?.name ?? id;

export class StatusCommand extends SetupCommand {
  static override paths = [["status"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "install",
    description: "Show where this executable is installed, and what has drifted.",
    details:
      "Exit code 1 when an entry lacks an event that the compiled-in hooks subscribe to, or is not as this executable would write it. Whether a denial holds is shown by doctor. With --session: exit code 0 if the sessions are governed, as far as doctor finds out, else 1: under mode observe or warn they are not. An agent's shell is told about its own session, and a person about the hosts on this machine.",
    examples: [
      ["Every installation on this machine", "bridge-hooks status"],
      ["Whether the session that asks is governed", "bridge-hooks status --session"],
    ],
  });

  override root = Option.String("--root", {
    description: "Instead of the project's folder; with --scope user the home folder, with managed /",
  });
  scope = Option.String("--scope", { description: "Only user, project, local or managed" });
  session = Option.Boolean("--session", false, {
    description: "Whether sessions here are governed: by which policy, in which mode, and what of it is not in force",
  });

  async work(): Promise<number> {
    const scope = this.scope === undefined ? undefined : parseScope(this.scope);
    const world = await this.createInstallContext(scope);
    if (this.session) return this.reportSession(world);
    const status = await collectStatus(
      { hosts: this.hostIds, scope, all: this.root !== undefined },
      world,
      pkg.version,
    );
    if (this.json) this.write(formatJson(status));
    else this.showText(qualifyCommands(formatStatus(escapeTexts(status), world)));
    return status.unreadable.length > 0 || status.installed.some(({ drift }) => drift.length > 0) ? 1 : 0;
  }

  private async reportSession(context: InstallContext): Promise<number> {
    const { collectSessionStatus } = await import("./session.ts");
    const { formatSessionStatus } = await import("./session-text.ts");
    const status = await collectSessionStatus(this.hostIds, context, pkg.version);
    if (this.json) this.write(formatJson(status));
    else this.showText(qualifyCommands(formatSessionStatus(escapeTexts(status))));
    return status.governed ? 0 : 1;
  }
}

function formatStatus({ policy, exceptions, installed, unreadable, bare }: Status, context: InstallContext): string {
  const lines = [
    ...installed.map((one) => formatInstallation(one, context)),
    ...unreadable.map(({ host, file, message }) => `${getHostName(host)}: ${file} can't be read: ${message}`),
    ...bare.map((host) => `${getHostName(host)}: not installed; ${getOwnCommand()} install --host ${host}`),
  ];
  const allowed = [
    ...exceptions.exceptions.map(summarizeException),
    ...exceptions.voids.map(({ path, flaw }) => `does not count as an exception: ${path}: ${flaw}`),
  ];
  return `${[`policy: ${formatPolicy(policy)}`, ...allowed].join("\n")}\n\n${lines.join("\n") || "no host was found on this machine"}`;
}

function formatInstallation(
  { host, scope, file, plugin, events, programs, onError, drift, notes }: InstalledConfig,
  { self }: InstallContext,
): string {
  const others = programs.flatMap(({ program, other }) => (other ? [program] : []));
  const again = formatReinstallCommand(host, { scope, plugin }, onError);
  return [
    `${getHostName(host)}, ${plugin ? `plugin ${plugin.id}` : scope}: ${file}`,
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
