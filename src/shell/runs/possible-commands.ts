import type { Command } from "../command.ts";
import { copyNotes } from "../files/folder-steps.ts";
import { lookUpProgram } from "../programs/index.ts";
import { createNameTest, readProgramWord } from "../programs/names.ts";

/** The parts of a command that are needed. */
type NamedCommand = Pick<Command, "program"> & Partial<Pick<Command, "dynamic">>;

/**
 * Adds the commands that a line may run if parts of a program's name are only known at run time: `/bin/wip?fs` is a
 * guess for `wipefs`, as is `wip${x}efs`. The reader does so for the programs that it knows itself.
 * @param names the other program names that count.
 */
export function listPossibleCommands<T extends NamedCommand>(
  commands: readonly T[],
  names: readonly string[],
): readonly T[] {
  if (commands.every(({ dynamic }) => dynamic?.[-1] === undefined)) return commands;
  return commands.flatMap((command) => [command, ...listGuesses(command, names)]);
}

function listGuesses<T extends NamedCommand>(command: T, names: readonly string[]): T[] {
  const { [-1]: word, ...dynamic } = command.dynamic ?? {};
  const { pattern } = word === undefined ? {} : readProgramWord({ text: word, dynamic: word });
  if (pattern === undefined) return [];
  const isMatch = createNameTest(pattern);
  return names
    .filter((name) => isMatch(name) && lookUpProgram(name) === undefined)
    .map((program) => {
      const guess = { ...command, program, dynamic, guessed: true };
      copyNotes(guess as never, command as never);
      return guess;
    });
}
