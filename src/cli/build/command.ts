import { dirname, relative, resolve, sep } from "node:path";
import { Command, Option } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { quoteCommand } from "../../protocol/host/quote.ts";
import { findProgramsFolder } from "../install/copy-executable.ts";
import { entries } from "../../call/built/hooks.ts";
import type { BuildResult } from "./build.ts";
import type { BuiltPolicy } from "../../call/built/policy.ts";
import { deriveHookName } from "./hook-module.ts";
import { readStarterHooks } from "./sources.ts";
import { formatTable, wrapLabeled } from "../terminal/layout.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { homedir } from "../../system/home.ts";
import { getOwnCommand, nameProgram } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class BuildCommand extends UserCommand {
  static override paths = [["build"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "write",
    description: "Build an executable with your own hooks.",
    details: formatDetails(
      [
        "Compiles the modules in DIR/hooks or, if that directory doesn't exist, in DIR (default: the current directory).",
      ],
      [
        'Modules can import "bridge-hooks", "valibot" and "zod"; you don\'t need to install these packages.',
        "Packages in a node_modules directory next to the modules also work and take precedence.",
        "Types are checked with the options in the nearest tsconfig.json.",
        "A matcher that can't match any call is an error.",
      ],
      [
        "--with includes starter hooks without copying their sources, so rebuilding with a newer bridge-hooks updates their rules.",
        "With --with, you don't need your own hooks.",
      ],
      [
        "The values of --name and --policy-version appear in --version, status, doctor and list, with a hash of the hooks, rules and config files.",
      ],
      [
        "For other platforms, build downloads Bun's runtime from npm_config_registry or the npm registry.",
        "If the executable can run here, build checks that it denies a call even with settings that disable other executables; your hooks aren't run.",
        "The output file is replaced atomically and may be this executable.",
      ],
    ),
    examples: [
      ["Build ./hooks as dist/bridge-hooks", "bridge-hooks build"],
      ["Include all starter hooks", "bridge-hooks build --with starter"],
      ["Build for every platform as dist/guard-<os>-<arch>", "bridge-hooks build --target all --name guard"],
      [
        "Build release 1.4.0 of a company's policy",
        "bridge-hooks build --with starter --name acme --policy-version 1.4.0",
      ],
    ],
  });

  directory = Option.String({ name: "DIR", required: false });
  hooks = Option.String("--hooks", { description: "Same as DIR" });
  outfile = Option.String("--outfile", { description: "Output file (default: dist/NAME, or dist/NAME-TARGET)" });
  target = Option.Array("--target", [], {
    description: "Platform: linux-x64, darwin-arm64, … or all (default: this machine); may be repeated",
  });
  with = Option.Array("--with", [], {
    description: "Starter hook to include, or starter for all of them; may be repeated",
  });
  label = Option.String("--name", {
    description: "Name of the policy and of the files in dist (default: bridge-hooks)",
  });
  policyVersion = Option.String("--policy-version", {
    description: "Version of your policy (default: the version of bridge-hooks)",
  });
  noCheck = Option.Boolean("--no-check", false, {
    description: "Skip the type check and the check for responses that aren't returned",
  });
  /** The base directory for hooks and output files; `npm run build` overrides it. */
  static home = ".";

  async work(): Promise<number> {
    const { buildExecutables, planOutputs } = await import("./build.ts");
    const { findHooksFolder, findOwnHooks } = await import("../load-hooks.ts");
    const { formatSourceProblems, SourceProblemsError } = await import("./problem.ts");
    if (this.label !== undefined && !/^[\w.-]+$/.test(this.label))
      throw new Error("--name must be a file name; for a path, use --outfile");
    if (this.policyVersion !== undefined && !POLICY_VERSION.test(this.policyVersion))
      throw new Error("--policy-version must be letters and digits separated by . - + or _, such as 1.4.0");
    const { home } = BuildCommand;
    const { directory = this.hooks } = this;
    if (directory === "" || this.outfile === "")
      throw new Error("DIR, --hooks and --outfile must not be empty; pass a path");
    const remainingOutputs = planOutputs(this.target, this.outfile, this.label, home);
    const products = remainingOutputs.length;
    const listOutputs = () => {
      const file = remainingOutputs[0]?.outfile ?? "";
      const relativePath = relative(".", file);
      return relativePath.startsWith("..") ? resolve(file) : relativePath || file;
    };
    const at = this.progress();
    try {
      const hooks =
        this.with.length > 0 && directory === undefined ? findOwnHooks(home) : findHooksFolder(directory ?? home);
      const table = this.table();
      const nextSteps: Promise<string>[] = [];
      const onBuilt = (result: BuildResult) => {
        at();
        if (remainingOutputs.length === products && result.notes.length > 0)
          this.context.stderr.write(`${formatSourceProblems(result.notes)}\n`);
        table(listOutputs(), result);
        if (result.tested) nextSteps.push(formatNextSteps(listOutputs(), result));
        remainingOutputs.shift();
      };
      const policy = {
        ...(this.label !== undefined && { name: this.label }),
        ...(this.policyVersion !== undefined && { version: this.policyVersion }),
      };
      await buildExecutables(
        { hooks, starters: this.with, products: [...remainingOutputs], check: !this.noCheck, policy },
        onBuilt,
        at,
      );
      if (nextSteps[0] !== undefined) this.say(`\n${await nextSteps[0]}`);
      return 0;
    } catch (error) {
      at();
      if (!(error instanceof SourceProblemsError))
        throw new Error(`${listOutputs()} was not built: ${(error as Error).message}`);
      this.context.stderr.write(`${error.message}\n`);
      throw new Error(
        `${listOutputs()} was not built: ${error.count === 1 ? "an error" : `${error.count} errors`} in the hooks`,
      );
    }
  }

  /** Shows the current step on one line of the terminal, or clears that line if there is no step. */
  progress(): (step?: string) => void {
    const { stderr } = this.context;
    if (!process.stderr.isTTY || process.env.TERM === "dumb") return () => {};
    return (step) => stderr.write(`\r\u001b[K${step === undefined ? "" : `${step} …`}`);
  }

  /** Prints a table row for each built executable. */
  table(): (name: string, result: BuildResult) => void {
    let hasHeader = false;
    return (name, { hooks, policy, skippedPaths, bytes, tested }) => {
      const note =
        skippedPaths.length === 0
          ? ""
          : `not compiled in: ${skippedPaths.join(", ")}; only .ts and .js files directly in the directory are hooks\n`;
      if (!hasHeader)
        this.say(
          [
            ...wrapLabeled("hooks: ", hooks.join(", "), 7, describeTerminal()),
            `${formatBuiltPolicy(policy)}${note}`,
            formatBuildRow("executable", "MB", "tried here"),
          ].join("\n"),
        );
      hasHeader = true;
      this.say(
        formatBuildRow(name, (bytes / 1e6).toFixed(1), tested ? "yes, denies the test call" : "no: another platform"),
      );
    };
  }
}

/** Formats a single table row, because rows are printed one at a time. */
const formatBuildRow = (name: string, size: string, trial: string): string =>
  formatTable([[name, size, trial]], {
    width: describeTerminal().width,
    gap: 1,
    columns: [{ width: 42 }, { width: 6, align: "right" }],
  }).join("\n");

const POLICY_VERSION = /^[A-Za-z0-9]+([.+_-][A-Za-z0-9]+)*$/;

/** Formats the line that shows a policy's own name or version. */
const formatBuiltPolicy = ({ name, version, hooks }: BuiltPolicy): string =>
  name === undefined && version === undefined
    ? ""
    : `policy: ${name ?? pkg.name} ${version ?? pkg.version}, hash of its hooks ${hooks}\n`;

/**
 * Formats the next steps for an executable that can run here. Also lists hooks that this executable contains but the
 * new one lacks.
 */
async function formatNextSteps(file: string, { hooks }: BuildResult): Promise<string> {
  const next = `The test did not run your hooks; to run their own tests: ${getOwnCommand()} test
Next: ${formatInstall(file)}`;
  const missingHooks = entries.map(({ name }) => name).filter((name) => !hooks.includes(name));
  if (missingHooks.length === 0) return next;
  const starter = (await readStarterHooks()).some(([source]) => missingHooks.includes(deriveHookName(source)));
  const fix = starter ? "\nTo include the starter hooks, add --with starter." : "";
  return `${next}\nThe new executable lacks these hooks of this one: ${missingHooks.join(", ")}.${fix}`;
}

/**
 * Formats the command that installs a built executable. If the executable isn't on PATH or in the user's programs
 * directory, the command copies it.
 */
function formatInstall(file: string): string {
  const name = nameProgram(resolve(file), process);
  if (!/[\\/]/.test(name)) return `${name} install`;
  const { platform, env } = process;
  const folder = findProgramsFolder({ platform, env, home: homedir(), roots: [] }, "user");
  const path = /[\\/]/.test(file) ? file : `.${sep}${file}`;
  const isStable = dirname(resolve(file)) === folder;
  if (platform === "win32")
    return quoteCommand([path, "install", ...(isStable ? [] : ["--copy-to", folder])], "powershell");
  return `${quoteCommand([path], "sh")} install${isStable ? "" : " --copy-to ~/.local/bin"}`;
}
