import { Cli } from "clipanion";
import { TARGETS } from "../../src/operate/executable/image.ts";
import { COMMANDS } from "../../src/cli/main.ts";
import { hosts } from "../../src/hosts/index.ts";
import { INSTALL_SCOPES } from "../../src/protocol/host/install.ts";

/** A command as described in shell completions and the man page. */
export interface CommandDescription {
  /** The words that make up the command: `["config", "show"]`. */
  path: readonly string[];
  summary: string;
  details: readonly string[];
  options: readonly OptionDescription[];
  examples: readonly (readonly [what: string, line: string])[];
}

interface OptionDescription {
  /** Names of the option: `["--yes", "-y"]`. */
  names: readonly string[];
  takesValue: boolean;
  /** Accepted values; empty if any value is accepted. */
  values: readonly string[];
  summary: string;
}

/** Values accepted by options with a fixed set of values. */
const OPTION_VALUES: Readonly<Record<string, readonly string[]>> = {
  "--host": hosts.map(({ id }) => id),
  "--scope": INSTALL_SCOPES,
  "--on-error": ["allow", "deny"],
  "--target": [...TARGETS.map((target) => target.slice("bun-".length)), "all"],
};

const joinLines = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, " ");

/** Reads all commands from the command classes compiled into the executable. */
export function describeCommands(): CommandDescription[] {
  const cli = new Cli({ binaryName: "bridge-hooks", enableColors: false });
  for (const command of COMMANDS) cli.register(command);
  return cli
    .definitions({ colored: false })
    .map(({ path, description = "", details = "", examples = [], options }) => ({
      path: path.split(" ").slice(1),
      summary: joinLines(description).replace(/\.$/, ""),
      details:
        details.trim() === ""
          ? []
          : details
              .trim()
              .split(/\n\s*\n/)
              .map(joinLines),
      options: options.map((option) => {
        const names = option.definition.replace(/ #0$/, "").split(",");
        const takesValue = option.definition.endsWith(" #0");
        return {
          names,
          takesValue,
          values: takesValue ? (OPTION_VALUES[names[0] ?? ""] ?? []) : [],
          summary: joinLines(option.description ?? ""),
        };
      }),
      examples: examples.map(([what, line]) => [joinLines(what), line]),
    }));
}
