import { resolve } from "node:path";
import { Command, Option } from "clipanion";
import { EVENTS, type EventName } from "../../protocol/event.ts";
import { hosts } from "../../hosts/index.ts";
import { entries } from "../../call/built/hooks.ts";
import { buildMdmFiles, DEFAULT_PROGRAM_PATHS, parseProgramPaths, writePack } from "../../operate/mdm/mdm.ts";
import { readPackages } from "../../operate/mdm/packages.ts";
import { collectWantedEvents } from "../../operate/machine/desired-entries.ts";
import { runWithHookIsolation } from "../terminal/terminal.ts";
import { readShippedConfig } from "./shipped-config.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import {
  declareHostOptions,
  declareHosts,
  parseFailurePolicy,
  readHostOptions,
  selectHosts,
} from "../terminal/options.ts";

export class MdmCommand extends UserCommand {
  static override paths = [["mdm"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "operate",
    description: "Write the files that an administrator ships to a fleet.",
    details: `
      For Linux, macOS and Windows: the hosts' managed configs, configuration profiles and registry files, with a README that says what goes where, in
      which order, how to see on a client that it holds, and how to take it back. Run again with a newer executable, it replaces its own files.
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
      ["With packages of a release", "bridge-hooks mdm --out pack --package bridge-hooks_0.1.0_amd64.deb"],
    ],
  });

  out = Option.String("--out", { description: "The folder to write: a new or empty one, or an earlier pack" });
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
  onError = Option.String("--on-error", "deny", {
    description: "deny (default) or allow: when a hook or the call of it fails",
  });
  event = Option.Array("--event", [], {
    description: "Only this unified event, or all; may be repeated (default: those that the hooks subscribe to)",
  });

  constructor() {
    super();
    Object.assign(this, declareHostOptions());
  }

  async work(): Promise<number> {
    const on_error = parseFailurePolicy(this.onError);
    const { out } = this;
    if (!out) throw new Error("mdm needs --out DIR, the folder to write");
    const order = {
      programs: parseProgramPaths(this.binPath),
      on_error,
      settings: readHostOptions(this),
      wanted: this.wanted(),
    } as const;
    const chosen = selectHosts(this.host);
    return runWithHookIsolation(async (output) => {
      const config = this.config === undefined ? undefined : await readShippedConfig(this.config);
      const files = await buildMdmFiles(
        order,
        chosen,
        readPackages(this.packages, order.programs, DEFAULT_PROGRAM_PATHS),
        config,
      );
      const written = writePack(resolve(out), files);
      output.write(`${written.join("\n")}\n\n${written.length} files are in ${out}; start with its README.md.\n`);
      return 0;
    });
  }

  wanted() {
    if (this.event.includes("all")) return "all" as const;
    const unknown = this.event.find((name) => !(EVENTS as readonly string[]).includes(name));
    if (unknown) throw new Error(`unknown unified event "${unknown}"; known: all, ${EVENTS.join(", ")}`);
    return this.event.length > 0
      ? this.event.map((event) => ({ event: event as EventName }))
      : collectWantedEvents(entries);
  }
}
