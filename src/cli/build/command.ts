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

export class BuildCommand extends UserCommand {
  static override paths = [["build"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "write",
    description: "Make an executable with your own hooks.",
    details: `
      Compiles the modules in DIR/hooks, or in DIR where there is no such folder (default: here). Nothing else has to be on the machine: what is needed
      is in this executable, and in the one that it makes.

      Modules may import "bridge-hooks", "valibot" and "zod" without having them, and what else is in a node_modules beside them; if valibot or zod is
      there, too, it is taken from there. Types are checked, by the options of the tsconfig.json above the modules if there is one, and matchers: one that fits no call is an error.

      --with compiles starter hooks in beside yours, without a copy of their sources: a newer bridge-hooks builds with its newer rules. With it no hook of your own is needed.

      --name and --policy-version go into the executable: --version, status, doctor and list show them, with a hash of the hooks, their rules and the config files.

      For another platform, Bun's runtime comes from the npm registry, or from the one that npm_config_registry names. What can run here is tried: the
      executable has to deny under all that turns other executables off. None of your hooks runs for that. The result is put into its place in one go; it may replace this executable.
    `,
    examples: [
      ["The hooks in ./hooks, as dist/bridge-hooks", "bridge-hooks build"],
      ["Your hooks beside all starter hooks", "bridge-hooks build --with starter"],
      ["For every platform, as dist/guard-<os>-<arch>", "bridge-hooks build --target all --name guard"],
      [
        "As release 1.4.0 of a company's policy",
        "bridge-hooks build --with starter --name acme --policy-version 1.4.0",
      ],
    ],
  });

  directory = Option.String({ name: "DIR", required: false });
  hooks = Option.String("--hooks", { description: "The same as DIR, as other commands call it" });
  outfile = Option.String("--outfile", { description: "The result (default: dist/NAME, or dist/NAME-TARGET)" });
  target = Option.Array("--target", [], {
    description: "linux-x64, darwin-arm64, … or all (default: this machine); may be repeated",
  });
  with = Option.Array("--with", [], {
    description: "A starter hook to compile in beside yours, or starter for all of them; may be repeated",
  });
  label = Option.String("--name", {
    description: "What the policy and the results in dist are called (default: bridge-hooks)",
  });
  policyVersion = Option.String("--policy-version", {
    description: "The version of your policy (default: the release of bridge-hooks)",
  });
  noCheck = Option.Boolean("--no-check", false, {
    description: "Skip the checks of types, and of responses that are not returned",
  });
  /** The base directory of hooks and output files; `npm run build` overrides it. */
  static home = ".";

  async work(): Promise<number> {
    const { buildExecutables, planOutputs } = await import("./build.ts");
    const { findHooksFolder, findOwnHooks } = await import("../load-hooks.ts");
    const { formatSourceProblems, SourceProblemsError } = await import("./problem.ts");
    if (this.label !== undefined && !/^[\w.-]+$/.test(this.label))
      throw new Error("--name takes a file's name; --outfile takes a path");
    if (this.policyVersion !== undefined && !POLICY_VERSION.test(this.policyVersion))
      throw new Error("--policy-version takes a version: digits, letters, and . - + _ between them, as in 1.4.0");
    const { home } = BuildCommand;
    const { directory = this.hooks } = this;
    if (directory === "" || this.outfile === "") throw new Error("DIR, --hooks and --outfile take a path");
    const left = planOutputs(this.target, this.outfile, this.label, home);
    const products = left.length;
    const shown = () => {
      const file = left[0]?.outfile ?? "";
      const near = relative(".", file);
      return near.startsWith("..") ? resolve(file) : near || file;
    };
    const at = this.progress();
    try {
      const hooks =
        this.with.length > 0 && directory === undefined ? findOwnHooks(home) : findHooksFolder(directory ?? home);
      const table = this.table();
      const next: Promise<string>[] = [];
      const made = (built: BuildResult) => {
        at();
        if (left.length === products && built.notes.length > 0)
          this.context.stderr.write(`${formatSourceProblems(built.notes)}\n`);
        table(shown(), built);
        if (built.tested) next.push(formatNextSteps(shown(), built));
        left.shift();
      };
      const policy = {
        ...(this.label !== undefined && { name: this.label }),
        ...(this.policyVersion !== undefined && { version: this.policyVersion }),
      };
      await buildExecutables(
        { hooks, starters: this.with, products: [...left], check: !this.noCheck, policy },
        made,
        at,
      );
      if (next[0] !== undefined) this.say(`\n${await next[0]}`);
      return 0;
    } catch (error) {
      at();
      if (!(error instanceof SourceProblemsError))
        throw new Error(`${shown()} was not made: ${(error as Error).message}`);
      this.context.stderr.write(`${error.message}\n`);
      throw new Error(
        `${shown()} was not made: ${error.count === 1 ? "an error" : `${error.count} errors`} in the hooks`,
      );
    }
  }

  /** Shows the current step on one line of the terminal; called without a step, clears that line. */
  progress(): (what?: string) => void {
    const { stderr } = this.context;
    if (!process.stderr.isTTY || process.env.TERM === "dumb") return () => {};
    return (what) => stderr.write(`\r\u001b[K${what === undefined ? "" : `${what} …`}`);
  }

  /** Prints a table row for each built executable. */
  table(): (name: string, built: BuildResult) => void {
    let hasHeader = false;
    return (name, { hooks, policy, left, bytes, tested }) => {
      const note =
        left.length === 0
          ? ""
          : `not compiled in: ${left.join(", ")}; only .ts and .js files directly in the folder are hooks\n`;
      if (!hasHeader)
        this.say(
          [
            ...wrapLabeled("hooks: ", hooks.join(", "), 7, describeTerminal()),
            `${formatBuiltPolicy(policy)}${note}`,
            formatProduct("executable", "MB", "tried here"),
          ].join("\n"),
        );
      hasHeader = true;
      this.say(
        formatProduct(name, (bytes / 1e6).toFixed(1), tested ? "yes: the executable denies" : "no: another platform"),
      );
    };
  }
}

/** Formats a table row; rows are printed one by one. */
const formatProduct = (name: string, size: string, trial: string): string =>
  formatTable([[name, size, trial]], {
    width: describeTerminal().width,
    gap: 1,
    columns: [{ width: 42 }, { width: 6, align: "right" }],
  }).join("\n");

const POLICY_VERSION = /^[A-Za-z0-9]+([.+_-][A-Za-z0-9]+)*$/;

/** Formats the line about a policy with its own name or version. */
const formatBuiltPolicy = ({ name, version, hooks }: BuiltPolicy): string =>
  name === undefined && version === undefined
    ? ""
    : `policy: ${name ?? pkg.name} ${version ?? pkg.version}, hash of its hooks ${hooks}\n`;

/** Formats the next steps for an executable that runs here, and lists the current hooks that it lacks. */
async function formatNextSteps(file: string, { hooks }: BuildResult): Promise<string> {
  const next = `Your hooks were not run for that; ${getOwnCommand()} test runs their tests.
Next: ${formatInstall(file)}`;
  const missing = entries.map(({ name }) => name).filter((name) => !hooks.includes(name));
  if (missing.length === 0) return next;
  const starter = (await readStarterHooks()).some(([source]) => missing.includes(deriveHookName(source)));
  const fix = starter ? "\nTo include the starter hooks, add --with starter." : "";
  return `${next}\nThese hooks of this executable are not in it: ${missing.join(", ")}.${fix}`;
}

/** Formats the command that installs a built executable. It copies the executable unless that is on PATH or already with the user's programs. */
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
