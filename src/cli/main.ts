import { Cli, Command, type CommandClass, Option } from "clipanion";
import pkg from "../../package.json" with { type: "json" };
import { hosts } from "../hosts/index.ts";
import { suggestName } from "../protocol/name-suggestions.ts";
import { toFlagName } from "../run/options.ts";
import { BuildCommand } from "./build/command.ts";
import { ConfigSetCommand, ConfigUnsetCommand } from "./config/change-commands.ts";
import { ConfigCheckCommand } from "./config/check-command.ts";
import { ConfigSchemaCommand } from "./config/schema-command.ts";
import { ConfigShowCommand } from "./config/show-command.ts";
import { DoctorCommand } from "./doctor/command.ts";
import { ExplainCommand } from "./explain/command.ts";
import { InitCommand } from "./init/command.ts";
import { InstallCommand } from "./install/command.ts";
import { ListCommand } from "./list/command.ts";
import { LogCommand } from "./log/command.ts";
import { LogDeleteCommand } from "./log/delete-command.ts";
import { LogVerifyCommand } from "./log/verify-command.ts";
import { MdmCommand } from "./mdm/command.ts";
import { ReplayCommand } from "./replay/command.ts";
import { requireHosts, UserCommand, type PolicyEffect } from "./terminal/command-options.ts";
import { RulesCommand } from "./rules/command.ts";
import { RulesTestCommand } from "./rules/test-command.ts";
import { ServeCommand } from "./serve/command.ts";
import { StatusCommand } from "./status/command.ts";
import { TryCommand } from "./try/command.ts";
import { TestCommand } from "./test/command.ts";
import { UninstallCommand } from "./uninstall/command.ts";
import { UpdateCommand } from "./update/command.ts";
import { VerifyCommand } from "./verify/command.ts";
import { explainRefusal } from "./terminal/explain.ts";
import { formatHelp } from "./terminal/help.ts";
import { buildMatrixData, formatMatrix } from "./matrix/matrix.ts";

const CALL_FLAGS: readonly [flag: string, what: string][] = [
  ["--host ID", `the calling host: ${hosts.map(({ id }) => id).join(", ")} (default: what stdin looks like)`],
  ["--event NAME", "the host's own event name, for input that does not say it or can't be read"],
  ["--after NAME", "the host asked at that event already: only a restriction is answered"],
  ["--on-error allow|deny", "when a hook or the bridge fails (default allow: exit code 1, nothing decided)"],
  ["--timeout-ms N", "time for the whole call (default 4000)"],
  ["--max-continuations N", "how often in a row hooks may make the agent go on at Stop (default 1)"],
  ...hosts.flatMap(({ name, options }) =>
    Object.entries(options).map(([option, { values, meaning }]): [string, string] => [
      `${toFlagName(option)} ${values.join("|")}`,
      `${name}: ${meaning} (default ${values[0]})`,
    ]),
  ),
];

const HELP_TEXT = `bridge-hooks ${pkg.version}
${pkg.description}

A host's config calls this; its event comes on stdin, the answer goes to stdout, stderr and the exit code:
  bridge-hooks --host ID --event NAME --on-error deny [flags]

${CALL_FLAGS.map(([flag, what]) => `  ${flag.padEnd(32)} ${what}`).join("\n")}

Exit codes: 0 go on, 2 block, 1 the bridge or a hook failed and nothing was decided.
A host that takes 1 for a denial gets 0 instead. An unknown host ID blocks.

For people (bridge-hooks COMMAND --help tells more):
  bridge-hooks init [DIR]                                    a folder for hooks of your own, with an example
  bridge-hooks test [DIR] [-- FLAGS]                         runs the tests of your own hooks
  bridge-hooks build [DIR] [--target TARGET|all]             an executable with your own hooks
  bridge-hooks install [--host ID] [--scope SCOPE]           puts this executable into the hosts' configs
  bridge-hooks uninstall [--host ID] [--scope SCOPE]         takes it out again
  bridge-hooks status [--host ID]                            where it is installed, and what has drifted
  bridge-hooks doctor [--host ID] [--json]                   whether a denial would hold here, now
  bridge-hooks mdm --out DIR                                 the files that an administrator ships to a fleet
  bridge-hooks try --command LINE [--explain]                what every host would be told of a call
  bridge-hooks replay FILE… [--against PROGRAM]              what they say to recorded payloads, and what changes
  bridge-hooks replay --history [--since 30d]                what they would have done to your own past sessions
  bridge-hooks log [--since 24h] [--denied] [--follow]       what was decided; log verify checks its chain
  bridge-hooks log delete --before DATE                      deletes old lines of it
  bridge-hooks explain ID|--last|--command LINE              which rule, which words, which settings, and how to allow it
  bridge-hooks list                                          your hooks, and what config files set for them
  bridge-hooks rules [ID] [--category NAME]                  the rules that your hooks enforce, with examples
  bridge-hooks rules test FILE                               checks a config file's rules, and runs their examples
  bridge-hooks config show [--origin]                        what the config files come to here, and which line says it
  bridge-hooks config check FILE…                            what is wrong in config files, before they are shipped
  bridge-hooks config set KEY VALUE [--scope SCOPE]          changes a config file; config unset KEY takes a value out
  bridge-hooks config schema                                 their JSON Schema, for an editor
  bridge-hooks update [--check] --url URL --key FILE         replaces this executable by a newer release
  bridge-hooks verify FILE [--key FILE]                      whether another file is of a release, and hardened
  bridge-hooks serve --host ID                               many calls in one process, for a host's plugin
  bridge-hooks matrix [HOST] [--notes] [--markdown|--json]   what hosts do with every field of a response
  bridge-hooks --version
`;

class HelpCommand extends Command {
  static override paths = [["--help"], ["-h"], ["help"], Command.Default];
  static policyEffect: PolicyEffect = "none";

  async execute(): Promise<number> {
    this.context.stdout.write(HELP_TEXT);
    return 0;
  }
}

class MatrixCommand extends UserCommand {
  static override paths = [["matrix"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    description: "Show what every host does with every field of a response.",
    details:
      "Each cell says what is sent and where that is known from: seen in a run of the real host, shipped by the vendor, documented, or unverified.",
  });

  host = Option.String({ required: false });
  notes = Option.Boolean("--notes", false, { description: "With what each cell does and how that is known" });
  markdown = Option.Boolean("--markdown", false, { description: "As Markdown, with the notes" });
  json = Option.Boolean("--json", false, { description: "As JSON" });

  async work(): Promise<number> {
    const host =
      hosts.find(({ id }) => id === this.host) ?? (this.host === undefined ? undefined : requireHosts([this.host])[0]);
    const text = this.json
      ? JSON.stringify(buildMatrixData(host && [host]), null, 2)
      : formatMatrix({ markdown: this.markdown, notes: this.notes || this.markdown, host });
    this.say(text);
    return 0;
  }
}

class VersionCommand extends Command {
  static override paths = [["--version"], ["-v"]];
  static policyEffect: PolicyEffect = "none";

  async execute(): Promise<number> {
    const { formatPolicy, identifyPolicy } = await import("./policy-identity.ts");
    const policy = await identifyPolicy({}, process.cwd());
    // Programs read the first line.
    this.context.stdout.write(
      `${pkg.version}\n${policy.hash === undefined ? "" : `policy: ${formatPolicy(policy)}\n`}`,
    );
    return 0;
  }
}

/** Each declares what it does to what keeps hooks in force. */
export const COMMANDS = [
  HelpCommand,
  InitCommand,
  BuildCommand,
  TestCommand,
  InstallCommand,
  UninstallCommand,
  StatusCommand,
  DoctorCommand,
  MdmCommand,
  TryCommand,
  ReplayCommand,
  LogVerifyCommand,
  LogDeleteCommand,
  LogCommand,
  ExplainCommand,
  ListCommand,
  RulesTestCommand,
  RulesCommand,
  ConfigShowCommand,
  ConfigCheckCommand,
  ConfigSchemaCommand,
  ConfigSetCommand,
  ConfigUnsetCommand,
  UpdateCommand,
  VerifyCommand,
  ServeCommand,
  MatrixCommand,
  VersionCommand,
] satisfies readonly (CommandClass & { policyEffect: PolicyEffect })[];

/**
 * Runs the commands that a person types.
 * @returns the exit code: 1 for an invalid command line (2 would block calls if a host's config contains it).
 */
export async function main(argv: readonly string[]): Promise<number> {
  const cli = new Cli({
    binaryLabel: "bridge-hooks",
    binaryName: "bridge-hooks",
    binaryVersion: pkg.version,
    enableColors: false,
  });
  for (const command of COMMANDS) cli.register(command);
  // The longest path comes first: `rules test` before `rules`.
  const known = COMMANDS.find(({ paths }) =>
    paths?.some((path) => path.length > 0 && path.every((word, at) => word === argv[at])),
  );
  const words = known?.paths?.[0]?.length ?? 1;
  const name = argv.slice(0, words).join(" ");
  if (known && /^[a-z]/.test(argv[0] ?? "") && argv.slice(words).some((word) => word === "--help" || word === "-h")) {
    process.stdout.write(formatHelp(cli.usage(known, { detailed: true })));
    return 0;
  }
  try {
    return await cli.run(cli.process([...argv], Cli.defaultContext), Cli.defaultContext);
  } catch (error) {
    if ((error as Error).name !== "UnknownSyntaxError") throw error;
    const definition = cli.definitions().find(({ path }) => path === `bridge-hooks ${name}`);
    const message = definition
      ? `${name}: ${explainRefusal(argv.slice(words), definition)}`
      : known
        ? `${name} takes no arguments`
        : `unknown command "${argv.join(" ")}"${suggestCommand(argv)}`;
    process.stderr.write(
      `bridge-hooks: ${message}${message.endsWith("?") ? "" : ";"} see bridge-hooks ${definition ? `${name} ` : ""}--help\n`,
    );
    return 1;
  }
}

/** Suggests the command that an unknown one was meant to be. */
function suggestCommand(argv: readonly string[]): string {
  const group = COMMANDS.flatMap(({ paths = [] }) => paths.filter(([first, second]) => first === argv[0] && second));
  if (group.length > 0) {
    const names = group.map(([, second = ""]) => second);
    const near = argv[1] === undefined ? "" : suggestName(argv[1], names);
    return near
      ? near.replace("mean ", `mean ${argv[0]} `)
      : `; known: ${group.map((path) => path.join(" ")).join(", ")}`;
  }
  const host = argv.includes("--host") ? undefined : hosts.find(({ id }) => argv.includes(id));
  if (host) return `; did you mean --host ${host.id}?`;
  const names = COMMANDS.flatMap(({ paths = [] }) => paths.flat()).filter((name) => /^[a-z]/.test(name));
  return suggestName(argv[0] ?? "", names);
}
