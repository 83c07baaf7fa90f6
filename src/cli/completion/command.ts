import { basename } from "node:path";
import { Command, Option } from "clipanion";
import { joinChoices } from "../../protocol/choices.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { getOwnCommand, ownExecutable } from "../../system/own-command.ts";
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";
import { SHELLS, type Shell, writeScript } from "./scripts.ts";
import type { Candidate } from "./values.ts";
import { formatDetails } from "../terminal/details.ts";

export class CompletionCommand extends UserCommand {
  static override paths = [["completion"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "more",
    description: "Print the completion script for your shell.",
    details: formatDetails(
      [
        `SHELL is ${joinChoices(SHELLS)} (default: the shell in $SHELL).`,
        "The script queries this executable for commands, options, hosts, rules, denied calls and documentation pages.",
      ],
      "With WORDS, prints the completions for these words. The scripts use this form.",
    ),
    examples: [
      ["Enable completion in bash (in ~/.bashrc)", "source <(bridge-hooks completion bash)"],
      ["Enable completion in zsh (in ~/.zshrc)", "source <(bridge-hooks completion zsh)"],
      [
        "Enable completion in PowerShell (in $PROFILE)",
        "bridge-hooks completion powershell | Out-String | Invoke-Expression",
      ],
      ["Enable completion in fish", "bridge-hooks completion fish > ~/.config/fish/completions/bridge-hooks.fish"],
    ],
  });

  // Declare a single list for all arguments, because clipanion never fills an optional SHELL before a rest argument.
  args = Option.Rest({ name: "SHELL" });

  async work(): Promise<number> {
    const [name, ...words] = this.args;
    const shell = name === undefined ? findOwnShell(process.env.SHELL) : parseShell(name);
    if (words.length === 0) {
      this.write(writeScript(shell, ownExecutable === undefined ? "bridge-hooks" : getName(ownExecutable)).trimEnd());
      return 0;
    }
    const { completeWords, readWords } = await import("./complete.ts");
    const candidates = await completeWords(readWords(words, shell), this.cli.definitions(), shell);
    if (candidates.length > 0) this.write(candidates.map(formatCandidate).join("\n"));
    return 0;
  }
}

const formatCandidate = ({ value, meaning = "" }: Candidate): string =>
  value.startsWith(":") ? value : `${value}	${meaning}`;

const getName = (path: string): string => basename(path).replace(/\.exe$/i, "");

/** @throws Error that lists the supported shells, if the variable doesn't name one of them. */
function findOwnShell(variable = ""): Shell {
  const name = getName(variable);
  const shell = SHELLS.find((candidate) => candidate === name);
  if (shell) return shell;
  throw new Error(
    `completion: the shell in $SHELL isn't supported; pass ${joinChoices(SHELLS)}, for example: ${getOwnCommand()} completion ${SHELLS[0]}`,
  );
}

function parseShell(text: string): Shell {
  const shell = SHELLS.find((candidate) => candidate === text) ?? (text === "pwsh" ? "powershell" : undefined);
  if (shell) return shell;
  throw new Error(`unknown shell "${text}"${suggestName(text, SHELLS) || `; known: ${SHELLS.join(", ")}`}`);
}
