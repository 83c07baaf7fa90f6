import { resolve } from "node:path";
import { Command, Option } from "clipanion";
import { hosts } from "../../hosts/index.ts";
import { ENFORCED } from "../../policy/modes.ts";
import { buildMdmFiles, writePack } from "../../operate/mdm/mdm.ts";
import type { PackOrder } from "../../operate/mdm/pack-order.ts";
import { readPackages } from "../../operate/mdm/packages.ts";
import { DEFAULT_PROGRAM_PATHS, parseProgramPaths } from "../../operate/mdm/programs.ts";
import { listWantedHooks } from "../../operate/machine/install-context.ts";
import { checkEventNames } from "../../operate/machine/desired-entries.ts";
import { runWithHookIsolation } from "../terminal/terminal.ts";
import { writePluginFolders } from "./plugin.ts";
import { readShippedConfig } from "./shipped-config.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import {
  chooseFailurePolicy,
  explainFailurePolicy,
  declareEvents,
  declareHostOptions,
  declareHosts,
  declareJson,
  readHostOptions,
  selectHosts,
  splitIds,
} from "../terminal/options.ts";

export class MdmCommand extends UserCommand {
  static override paths = [["mdm"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "operate",
    description: "Write what an administrator rolls out to a fleet, or check a client.",
    details: `
      For Linux, macOS and Windows: the hosts' managed configs, configuration profiles and registry files, what places them (an Ansible role, scripts for
      Jamf, Intune and by hand), and a README that says what goes where, in which order, how to see on a client that it holds, and how to take it back.
      Run again with a newer executable, it replaces its own files.

      On a client, --check says of each file whether it is there, as it should be, and root's alone.
    `,
    examples: [
      ["With the executable at the default paths", "bridge-hooks mdm --out pack"],
      [
        "With the policy of the company, for two hosts",
        `bridge-hooks mdm --out pack --config policy.json${hosts
          .slice(0, 2)
          .map(({ id }) => ` --host ${id}`)
          .join("")}`,
      ],
      ["As a plugin, in a marketplace folder", "bridge-hooks mdm --plugin marketplace"],
      ["What is missing on this machine", "bridge-hooks mdm --check"],
      ["With packages of a release", "bridge-hooks mdm --out pack --package bridge-hooks_0.1.0_amd64.deb"],
    ],
  });

  out = Option.String("--out", { description: "The folder to write: a new or empty one, or an earlier pack" });
  plugin = Option.String("--plugin", {
    description:
      "Instead, the folder for marketplaces with a plugin that has the entries: new, empty, or an earlier one",
  });
  check = Option.Boolean("--check", false, {
    description: "Compare this machine with what a pack places on it; exit code 1 if something is missing or different",
  });
  pack = Option.String("--pack", {
    description: "With --check: the pack's folder (default: what this executable would write)",
  });
  binPath = Option.Array("--bin-path", [], {
    description: "Where the executable is on clients: a path, or linux=PATH, macos=PATH, windows=PATH",
  });
  host = declareHosts("Only this host", " (default: all)");
  config = Option.String("--config", {
    description: "The administrators' config file: it is checked, and goes into the folder",
  });
  packages = Option.Array("--package", [], {
    description: "A package of a release that goes into the folder, too (.deb, .rpm, .pkg, .msi); may be repeated",
  });
  onError = Option.String("--on-error", {
    description:
      "deny or allow: what happens to a call whose hook fails (default: allow if --config enforces nothing and has no end, else deny)",
  });
  event = declareEvents(" (default: those that the hooks subscribe to)");
  root = Option.String("--root", { description: "With --check: a mounted image instead of this machine" });
  json = declareJson("With --check: as JSON");

  constructor() {
    super();
    Object.assign(this, declareHostOptions());
  }

  /** @throws Error for contradictory options. */
  private checkOptions(): void {
    const { check, out, plugin, pack, root, json, packages } = this;
    if (!check && !out && !plugin)
      throw new Error("mdm needs --out DIR, the folder to write, or --plugin DIR, or --check");
    if (out && plugin) throw new Error("--out and --plugin write different folders; pass one of them");
    if (!check && (pack ?? root ?? (json || undefined)) !== undefined)
      throw new Error("--pack, --root and --json go with --check; leave them out, or add it");
    if (check && ((out ?? plugin) !== undefined || packages.length > 0))
      throw new Error("--check writes nothing; leave out --out, --plugin and --package, or name the pack with --pack");
  }

  async work(): Promise<number> {
    this.checkOptions();
    const chosen = selectHosts(this.host);
    checkEventNames(this.event, splitIds(this.host));
    return runWithHookIsolation(async (output) => {
      const config = this.config === undefined ? undefined : await readShippedConfig(this.config);
      const modes = config?.modes ?? ENFORCED;
      const order: PackOrder = {
        programs: parseProgramPaths(this.binPath),
        on_error: chooseFailurePolicy(this.onError, modes.whole),
        settings: readHostOptions(this),
        hooks: listWantedHooks(modes),
        events: this.event,
      };
      if (this.check) {
        const { checkMachine } = await import("./check.ts");
        return checkMachine({ order, chosen, config, command: this }, output);
      }
      if (this.plugin !== undefined) {
        output.say(await writePluginFolders(this.plugin, order, chosen));
        return 0;
      }
      const packages = readPackages(this.packages, order.programs, DEFAULT_PROGRAM_PATHS);
      const out = this.out as string;
      const written = writePack(resolve(out), await buildMdmFiles(order, chosen, packages, config));
      const reason = explainFailurePolicy(this.onError, modes.whole);
      output.say(`${written.join("\n")}

${written.length} files are in ${out}; start with its README.md.
If a hook fails, the call ${order.on_error === "deny" ? "is denied" : "goes on"} (--on-error ${order.on_error})${reason === undefined ? "" : `: ${reason}`}.
`);
      return 0;
    });
  }
}
