import type { Command } from "../command.ts";
import { copyAnnotations } from "../files/folder-steps.ts";
import { lookUpProgram } from "../programs/index.ts";
import { createNameTest, readProgramWord } from "../programs/names.ts";

/** The part of a command that these functions use. */
type NamedCommand = Pick<Command, "program"> & Partial<Pick<Command, "dynamic">>;

/**
 * Adds guesses for commands with a partly unknown program name: `/bin/wip?fs` and `wip${x}efs` could be `wipefs`.
 * Programs in the program table are left out, since the parser already adds guesses for them.
 * @param names the program names to consider
 */
export function listPossibleCommands<T extends NamedCommand>(
  commands: readonly T[],
  names: readonly string[],
): readonly T[] {
  if (commands.every(({ dynamic }) => dynamic?.[-1] === undefined)) return commands;
  return commands.flatMap((command) => [command, ...listGuessedCommands(command, names)]);
}

function listGuessedCommands<T extends NamedCommand>(command: T, names: readonly string[]): T[] {
  const { [-1]: word, ...dynamic } = command.dynamic ?? {};
  const { pattern } = word === undefined ? {} : readProgramWord({ text: word, dynamic: word });
  if (pattern === undefined) return [];
  const isMatch = createNameTest(pattern);
  return names
    .filter((name) => isMatch(name) && lookUpProgram(name) === undefined)
    .map((program) => {
      const guess = { ...command, program, dynamic, guessed: true };
      copyAnnotations(guess as never, command as never);
      return guess;
    });
}
