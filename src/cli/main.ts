import { Cli, type CommandClass } from "clipanion";
import pkg from "../../package.json" with { type: "json" };
import { hosts } from "../hosts/index.ts";
import { findNearestName, formatHint, suggestName } from "../protocol/name-suggestions.ts";
import { AllowCommand } from "./allow/command.ts";
import { AllowListCommand } from "./allow/list-command.ts";
import { AllowRevokeCommand } from "./allow/revoke-command.ts";
import { BuildCommand } from "./build/command.ts";
import { CompletionCommand } from "./completion/command.ts";
import { ConfigSetCommand, ConfigUnsetCommand } from "./config/change-commands.ts";
import { ConfigCheckCommand } from "./config/check-command.ts";
import { ConfigDiffCommand } from "./config/diff-command.ts";
import { ConfigSchemaCommand } from "./config/schema-command.ts";
import { ConfigShowCommand } from "./config/show-command.ts";
import { DocsCommand } from "./docs/command.ts";
import { DoctorCommand } from "./doctor/command.ts";
import { ExplainCommand } from "./explain/command.ts";
import { ExportCommand } from "./export/command.ts";
import { InitCommand } from "./init/command.ts";
import { InstallCommand } from "./install/command.ts";
import { ListCommand } from "./list/command.ts";
import { LogCommand } from "./log/command.ts";
import { LogDeleteCommand } from "./log/delete-command.ts";
import { LogVerifyCommand } from "./log/verify-command.ts";
import { MatrixCommand } from "./matrix/command.ts";
import { MdmCommand } from "./mdm/command.ts";
import { ReplayCommand } from "./replay/command.ts";
import { ReportCommand } from "./report/command.ts";
import { PauseCommand } from "./pause/command.ts";
import type { PolicyEffect } from "./terminal/command.ts";
import { RulesCommand } from "./rules/command.ts";
import { RulesTestCommand } from "./rules/test-command.ts";
import { ServeCommand } from "./serve/command.ts";
import { StatusCommand } from "./status/command.ts";
import { TryCommand } from "./try/command.ts";
import { TestCommand } from "./test/command.ts";
import { UninstallCommand } from "./uninstall/command.ts";
import { UpdateCommand } from "./update/command.ts";
import { VerifyCommand } from "./verify/command.ts";
import { VersionCommand } from "./version/command.ts";
import { GLOBAL_OPTIONS, takeGlobalOptions } from "./terminal/global-options.ts";
import { showInPager } from "./terminal/pager.ts";
import { printWarning } from "./terminal/terminal.ts";
import { explainRefusal } from "./terminal/explain.ts";
import { formatHelp, HelpCommand, HelpFlagCommand } from "./help/command.ts";
import { describePage } from "./help/page.ts";
import { getOwnCommand } from "../system/own-command.ts";

/**
 * The commands, in the order in which help lists them. Each declares its effect on the hooks in force. A command's
 * usage contains its group (`category`) and an example.
 */
export const COMMANDS = [
  HelpFlagCommand,
  InitCommand,
  TestCommand,
  BuildCommand,
  TryCommand,
  ReplayCommand,
  ListCommand,
  RulesCommand,
  RulesTestCommand,
  MatrixCommand,
  InstallCommand,
  DoctorCommand,
  StatusCommand,
  UninstallCommand,
  LogCommand,
  ExplainCommand,
  AllowCommand,
  AllowListCommand,
  AllowRevokeCommand,
  PauseCommand,
  LogVerifyCommand,
  LogDeleteCommand,
  ReportCommand,
  ExportCommand,
  ConfigShowCommand,
  ConfigCheckCommand,
  ConfigDiffCommand,
  ConfigSetCommand,
  ConfigUnsetCommand,
  ConfigSchemaCommand,
  MdmCommand,
  UpdateCommand,
  VerifyCommand,
  DocsCommand,
  CompletionCommand,
  HelpCommand,
  VersionCommand,
  ServeCommand,
] satisfies readonly (CommandClass & { policyEffect: PolicyEffect })[];

/** Creates a command-line interface with all commands. */
export function createCli(): Cli {
  const cli = new Cli({
    binaryLabel: "bridge-hooks",
    binaryName: "bridge-hooks",
    binaryVersion: pkg.version,
    enableColors: false,
  });
  for (const command of COMMANDS) cli.register(command);
  return cli;
}

/**
 * Runs the commands that users type.
 * @returns The exit code. An invalid command line results in 1, because 2 would block calls if the command were in a
 * host's config.
 */
export async function main(commandLine: readonly string[]): Promise<number> {
  const cli = createCli();
  let argv: string[];
  try {
    argv = takeGlobalOptions(commandLine);
  } catch (error) {
    printWarning((error as Error).message);
    return 1;
  }
  // Prefer the longest path, so that `rules test` isn't parsed as `rules` with an argument.
  const [known] = COMMANDS.filter(({ paths }) =>
    paths?.some((path) => path.length > 0 && path.every((word, at) => word === argv[at])),
  ).sort((a, b) => (b.paths?.[0]?.length ?? 0) - (a.paths?.[0]?.length ?? 0));
  const words = known?.paths?.[0]?.length ?? 1;
  const name = argv.slice(0, words).join(" ");
  const isGroup = COMMANDS.some(({ paths }) => paths?.some(([first, second]) => first === name && second));
  if ((known || isGroup) && /^[a-z]/.test(name) && isHelpAsked(argv.slice(words))) {
    const text = formatHelp(name, cli.definitions(), describePage());
    if (!showInPager(text)) process.stdout.write(text);
    return 0;
  }
  try {
    return await cli.run(cli.process([...argv], Cli.defaultContext), Cli.defaultContext);
  } catch (error) {
    if ((error as Error).name !== "UnknownSyntaxError") throw error;
    const definition = cli.definitions().find(({ path }) => path === `bridge-hooks ${name}`);
    // A misspelled `log verify` is rejected as an argument of `log`, so suggest a command here.
    const suggestion = isGroup && words === 1 ? suggestCommand(argv) : "";
    const message = definition
      ? `${name}: ${explainRefusal(argv.slice(words), definition)}${suggestion.endsWith("?") ? suggestion : ""}`
      : known
        ? `${name} takes no arguments`
        : explainUnknown(argv);
    printWarning(
      `${message}${message.endsWith("?") ? "" : ";"} see ${getOwnCommand()} ${definition ? `${name} ` : ""}--help`,
    );
    return 1;
  }
}

/** Explains that a command or an option is unknown, and suggests similar ones. */
function explainUnknown(argv: readonly string[]): string {
  if (!argv[0]?.startsWith("-")) {
    const typedCommand = listSubcommands(argv[0]).length > 0 ? argv.slice(0, 2).join(" ") : argv[0];
    return `unknown command "${typedCommand}"${suggestCommand(argv)}`;
  }
  const names = ["--help", "--version", ...GLOBAL_OPTIONS.map(([option]) => option.replace(/ .*/, ""))];
  return `unknown option "${argv[0]}"${suggestName(argv[0] ?? "", names)}`;
}

/** Whether the arguments request help. Arguments after `--` belong to another program. */
const isHelpAsked = (words: readonly string[]): boolean =>
  words.slice(0, words.includes("--") ? words.indexOf("--") : undefined).some((word) => /^(?:--help|-h)$/.test(word));

/** Lists the second words of the commands that start with a word, such as `show` for `config`. */
const listSubcommands = (first: string | undefined): string[] =>
  COMMANDS.flatMap(({ paths = [] }) => paths.flatMap(([word, second]) => (word === first && second ? [second] : [])));

/** Suggests the intended command for an unknown command. */
export function suggestCommand(argv: readonly string[]): string {
  const [first = "", second] = argv;
  const subcommands = listSubcommands(first);
  if (subcommands.length > 0) {
    const suggestion = second === undefined ? undefined : findNearestName(second, subcommands);
    return suggestion === undefined
      ? `; known: ${subcommands.map((name) => `${first} ${name}`).join(", ")}`
      : formatHint(`${first} ${suggestion}`);
  }
  const host = argv.includes("--host") ? undefined : hosts.find(({ id }) => argv.includes(id));
  if (host) return formatHint(`--host ${host.id}`);
  return formatHint(findNearestCommand(first, second));
}

/** Finds the command that most resembles an unknown first word and the word after it. */
function findNearestCommand(first: string, second = ""): string | undefined {
  const paths = COMMANDS.flatMap<string[]>(({ paths = [] }) => paths).filter(([word = ""]) => /^[a-z]/.test(word));
  const [firstWords, secondWords] = [0, 1].map((at) => paths.flatMap((path) => path[at] ?? [])) as [string[], string[]];
  const command = findNearestName(first, firstWords);
  const path =
    command === undefined
      ? paths.find((one) => one[1] !== undefined && one[1] === findNearestName(first, secondWords))
      : (paths.find((one) => one[0] === command && one[1] === findNearestName(second, listSubcommands(command))) ??
        paths.find((one) => one[0] === command));
  return path?.join(" ");
}
