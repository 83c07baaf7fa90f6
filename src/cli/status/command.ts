import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { hosts } from "../../hosts/index.ts";
import { runnable, type World } from "../host-config/place.ts";
import { type Installed, reinstall, type Status, statusOf } from "./status.ts";
import { scopeOf, SetupCommand } from "../terminal/command-options.ts";

const nameOf = (id: string) => hosts.find((host) => host.id === id)?.name ?? id;

export class StatusCommand extends SetupCommand {
  static override paths = [["status"]];
  static override usage = Command.Usage({
    description: "Show where this executable is installed, and what has drifted.",
    details:
      "Exit code 1 when an entry lacks an event that the compiled-in hooks subscribe to, or is not as this executable would write it. Whether a denial holds is shown by doctor.",
  });

  override root = Option.String("--root", {
    description: "Instead of the project's folder; with --scope user the home folder, with managed /",
  });
  scope = Option.String("--scope", { description: "Only user, project, local or managed" });

  async work(): Promise<number> {
    const scope = this.scope === undefined ? undefined : scopeOf(this.scope);
    const world = this.world(scope);
    const status = await statusOf({ hosts: this.hostIds, scope, all: this.root !== undefined }, world, pkg.version);
    this.say(this.json ? JSON.stringify(status, null, 2) : runnable(textOf(status, world), world));
    return status.unreadable.length > 0 || status.installed.some(({ drift }) => drift.length > 0) ? 1 : 0;
  }
}

function textOf({ installed, unreadable, bare }: Status, world: World): string {
  const lines = [
    ...installed.map((one) => described(one, world)),
    ...unreadable.map(({ host, file, message }) => `${nameOf(host)}: ${file} can't be read: ${message}`),
    ...bare.map((host) => `${nameOf(host)}: not installed; bridge-hooks install --host ${host}`),
  ];
  return lines.join("\n") || "no host was found on this machine";
}

function described({ host, scope, file, events, programs, onError, drift }: Installed, { self }: World): string {
  const others = programs.flatMap(({ program, other }) => (other ? [program] : []));
  const again = reinstall(host, scope, onError);
  return [
    `${nameOf(host)}, ${scope}: ${file}`,
    `  events      ${events.join(", ")}`,
    ...programs.map(({ program, version }) => `  executable  ${program}${version ? ` ${version}` : ""}`),
    `  on failure  ${onError === "deny" ? "a call is denied" : "a call passes"}`,
    ...others.map(
      (program) =>
        `  note        it calls ${program}, not this executable (${self}): its hooks are in force, and not these`,
    ),
    ...drift.map((line) => `  drift       ${line}`),
    ...(drift.length > 0
      ? [`  fix         ${again}`]
      : others.length > 0
        ? [`  fix         ${again} puts these in their place`]
        : []),
  ].join("\n");
}
