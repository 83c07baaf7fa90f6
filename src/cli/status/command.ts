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
import { escapeStrings, formatJson } from "../../operate/text.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import { parseScope } from "../terminal/options.ts";
import { SetupCommand } from "../terminal/setup-command.ts";
import { getOwnCommand, qualifyCommands } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

const getHostName = (id: string) => hosts.find((host) => host.id === id)?.name ?? id;

export class StatusCommand extends SetupCommand {
  static override paths = [["status"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "install",
    description: "Show where this executable is installed, and which entries are outdated.",
    details: formatDetails(
      [
        "Exits with 1 if an entry is missing or differs from what this executable would write, or if a host's config disables hooks or is invalid.",
        "To test whether denials take effect, run doctor.",
      ],
      [
        "With --session, exits with 0 only if sessions are governed; in mode observe or warn, they aren't.",
        "Run by an agent, the command checks the agent's session. Run by a user, it checks the hosts on this machine.",
      ],
    ),
    examples: [
      ["List every installation on this machine", "bridge-hooks status"],
      ["Check whether the current session is governed", "bridge-hooks status --session"],
    ],
  });

  override root = Option.String("--root", {
    description:
      "Use this directory instead of the project directory (with --scope user: the home directory; with managed: /)",
  });
  scope = Option.String("--scope", { description: "Only this scope: user, project, local or managed" });
  session = Option.Boolean("--session", false, {
    description: "Show whether sessions here are governed, by which policy and mode, and what isn't in force",
  });

  async work(): Promise<number> {
    const scope = this.scope === undefined ? undefined : parseScope(this.scope);
    const installContext = await this.createInstallContext(scope);
    if (this.session) return this.reportSession(installContext);
    const status = await collectStatus(
      { hosts: this.hostIds, scope, all: this.root !== undefined },
      installContext,
      pkg.version,
    );
    const installed = await addFaults(status.installed, installContext);
    const checkedStatus = { ...status, installed };
    if (this.json) this.write(formatJson(checkedStatus));
    else this.showText(qualifyCommands(formatStatus(escapeStrings(checkedStatus), installContext)));
    const isFaulty = installed.some(({ drift, faults }) => drift.length + faults.length > 0);
    return status.unreadable.length > 0 || isFaulty ? 1 : 0;
  }

  private async reportSession(context: InstallContext): Promise<number> {
    const { collectSessionStatus } = await import("./session.ts");
    const { formatSessionStatus } = await import("./session-text.ts");
    const status = await collectSessionStatus(this.hostIds, context, pkg.version);
    if (this.json) this.write(formatJson(status));
    else this.showText(qualifyCommands(formatSessionStatus(escapeStrings(status))));
    return status.governed ? 0 : 1;
  }
}

interface CheckedConfig extends InstalledConfig {
  /** Settings and errors in the host's config that keep the host from running entries. */
  faults: string[];
}

async function addFaults(installed: readonly InstalledConfig[], context: InstallContext): Promise<CheckedConfig[]> {
  if (installed.length === 0) return [];
  const { findDisablingFaults } = await import("../doctor/config-faults.ts");
  const faultsByHost = await findDisablingFaults(context, [...new Set(installed.map(({ host }) => host))]);
  return installed.map((config) => {
    const faults = faultsByHost.get(config.host) ?? [];
    return { ...config, faults: faults.map(({ what, impact }) => `${what}: ${impact}`) };
  });
}

function formatStatus(
  { policy, exceptions, installed, unreadable, bare }: Omit<Status, "installed"> & { installed: CheckedConfig[] },
  context: InstallContext,
): string {
  const isUnreadable = (id: string) => unreadable.some(({ host }) => host === id);
  const lines = [
    ...installed.map((installation) => formatInstallation(installation, context)),
    ...unreadable.map(({ host, file, message }) => `${getHostName(host)}: ${file} can't be read: ${message}`),
    ...bare.map(
      (host) =>
        `${getHostName(host)}: not installed; ${isUnreadable(host) ? "once that file is correct" : "to install"}: ${getOwnCommand()} install --host ${host}`,
    ),
  ];
  const allowed = [
    ...exceptions.exceptions.map(summarizeException),
    ...exceptions.voids.map(({ path, flaw }) => `invalid exception: ${path}: ${flaw}`),
  ];
  return `${[`policy: ${formatPolicy(policy)}`, ...allowed].join("\n")}\n\n${lines.join("\n") || "no hosts found on this machine"}`;
}

function formatInstallation(
  { host, scope, file, plugin, events, programs, onError, drift, notes, faults }: CheckedConfig,
  { self }: InstallContext,
): string {
  const otherPrograms = programs.flatMap(({ program, other }) => (other ? [program] : []));
  const reinstallCommand = formatReinstallCommand(host, { scope, plugin }, onError);
  return [
    `${getHostName(host)}, ${plugin ? `plugin ${plugin.id}` : scope}: ${file}`,
    `  events      ${events.join(", ")}`,
    ...programs.map(({ program, version }) => `  executable  ${program}${version ? ` ${version}` : ""}`),
    `  on failure  ${onError === "deny" ? "calls are denied" : "calls are allowed"}`,
    ...otherPrograms.map(
      (program) =>
        `  note        the entry calls ${program}, not this executable (${self}), so that executable's hooks apply`,
    ),
    ...notes.map((line) => `  note        ${line}`),
    ...faults.map((line) => `  problem     ${line}`),
    ...drift.map((line) => `  drift       ${line}`),
    ...(drift.length > 0
      ? [`  fix         ${reinstallCommand}`]
      : otherPrograms.length > 0
        ? [`  fix         to use this executable: ${reinstallCommand}`]
        : []),
  ].join("\n");
}
