import { resolve } from "node:path";
import { Command, Option } from "clipanion";
import { hosts } from "../../hosts/index.ts";
import { ENFORCED_MODE_POLICY } from "../../policy/modes.ts";
import { buildMdmFiles, writePack } from "../../operate/mdm/mdm.ts";
import type { PackOrder } from "../../operate/mdm/pack-order.ts";
import { readPackages } from "../../operate/mdm/packages.ts";
import { DEFAULT_PROGRAM_PATHS, parseProgramPaths } from "../../operate/mdm/programs.ts";
import { listExecutableHooks } from "../../operate/machine/install-context.ts";
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
import { formatDetails } from "../terminal/details.ts";

export class MdmCommand extends UserCommand {
  static override paths = [["mdm"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "operate",
    description: "Create a deployment pack for MDM or Ansible, or check a client.",
    details: formatDetails(
      [
        "Writes everything for Linux, macOS and Windows: managed configs for the hosts, configuration profiles and registry files.",
        "Also writes the tools that install these files: an Ansible role, and scripts for Jamf, Intune and manual use.",
        "The README explains the deployment order, client checks and rollback.",
        "A later run with a newer executable replaces only files that mdm wrote.",
      ],
      "On a client, --check verifies that each file exists, has the expected content, and is writable only by root.",
    ),
    examples: [
      ["Create a pack with the default paths", "bridge-hooks mdm --out pack"],
      [
        "Include a policy that applies to two hosts",
        `bridge-hooks mdm --out pack --config policy.json${hosts
          .slice(0, 2)
          .map(({ id }) => ` --host ${id}`)
          .join("")}`,
      ],
      ["Create a plugin marketplace", "bridge-hooks mdm --plugin marketplace"],
      ["Include packages of a release", "bridge-hooks mdm --out pack --package bridge-hooks_0.1.0_amd64.deb"],
    ],
  });

  out = Option.String("--out", {
    description: "Write the pack to this directory, which must be new, empty, or contain an earlier pack",
  });
  plugin = Option.String("--plugin", {
    description:
      "Write plugin marketplaces, not a pack, to this directory, which must be new, empty, or contain earlier output",
  });
  check = Option.Boolean("--check", false, {
    description: "Compare this machine with a pack; exit with 1 if a file needs a fix",
  });
  pack = Option.String("--pack", {
    description:
      "With --check: compare with the pack in this directory (default: with what this executable would write)",
  });
  binPath = Option.Array("--bin-path", [], {
    description: "Path of the executable on clients: PATH, or linux=PATH, macos=PATH, windows=PATH",
  });
  host = declareHosts("Only this host", " (default: all)");
  config = Option.String("--config", {
    description: "Validate this managed config file and include it",
  });
  packages = Option.Array("--package", [], {
    description: "Include this release package (.deb, .rpm, .pkg, .msi); may be repeated",
  });
  onError = Option.String("--on-error", {
    description:
      "What to answer if a hook fails: deny or allow (default: allow if --config enforces nothing and never will, else deny)",
  });
  event = declareEvents(" (default: the hooks' events)");
  root = Option.String("--root", { description: "With --check: check this mounted image instead" });
  json = declareJson("With --check: print JSON");

  constructor() {
    super();
    Object.assign(this, declareHostOptions());
  }

  /** @throws Error for contradictory options. */
  private checkOptions(): void {
    const { check, out, plugin, pack, root, json, packages } = this;
    if (!check && !out && !plugin) throw new Error("mdm: pass --out DIR, --plugin DIR or --check");
    if (out && plugin) throw new Error("--out and --plugin can't be combined; pass one of them");
    if (!check && (pack ?? root ?? (json || undefined)) !== undefined)
      throw new Error("--pack, --root and --json require --check; add it, or leave them out");
    if (check && ((out ?? plugin) !== undefined || packages.length > 0))
      throw new Error("--check can't be combined with --out, --plugin or --package; to check a pack, use --pack");
  }

  async work(): Promise<number> {
    this.checkOptions();
    const selectedHosts = selectHosts(this.host);
    checkEventNames(this.event, splitIds(this.host));
    return runWithHookIsolation(async (output) => {
      const config = this.config === undefined ? undefined : await readShippedConfig(this.config);
      const modes = config?.modes ?? ENFORCED_MODE_POLICY;
      const order: PackOrder = {
        programs: parseProgramPaths(this.binPath),
        on_error: chooseFailurePolicy(this.onError, modes.general),
        settings: readHostOptions(this),
        hooks: listExecutableHooks(modes),
        events: this.event,
      };
      if (this.check) {
        const { checkMachine } = await import("./check.ts");
        return checkMachine({ order, selectedHosts, config, command: this }, output);
      }
      if (this.plugin !== undefined) {
        output.say(await writePluginFolders(this.plugin, order, selectedHosts));
        return 0;
      }
      const packages = readPackages(this.packages, order.programs, DEFAULT_PROGRAM_PATHS);
      const out = this.out as string;
      const files = writePack(resolve(out), await buildMdmFiles(order, selectedHosts, packages, config));
      const reason = explainFailurePolicy(this.onError, modes.general);
      const outcome = order.on_error === "deny" ? "is denied" : "is allowed";
      const summary = [
        `${files.length} files are in ${out}; start with its README.md.`,
        `If a hook fails, the call ${outcome} (--on-error ${order.on_error})${reason === undefined ? "" : `: ${reason}`}.`,
      ];
      output.say(`${[...files, "", ...summary].join("\n")}\n`);
      return 0;
    });
  }
}
