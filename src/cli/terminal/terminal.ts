import { isColorDisabled } from "./colors.ts";
import { SourceProblemsError } from "../build/problem.ts";
import { removeTempFolders } from "../../author/testing/temp-dir.ts";
import { getAnswerDescriptor, exitProcess, guardStdout, writeAll } from "../../call/process/io.ts";

/** ANSI codes: red, green, yellow, dim, bold. */
type Color = 31 | 32 | 33 | 2 | 1;
export type Paint = (color: Color, text: string) => string;

/** Whether the terminal shows colours, and the user wants them. */
export const isColored = (): boolean =>
  process.stdout.isTTY === true && !isColorDisabled() && process.env.TERM !== "dumb";

export const paintColored: Paint = (color, text) => `\u001b[${color}m${text}\u001b[0m`;
export const paintPlain: Paint = (_, text) => text;
export const choosePaint = (): Paint => (isColored() ? paintColored : paintPlain);

/** Where a command writes. */
export interface TerminalOutput {
  /** In columns; Infinity when stdout is not a TTY, so that the output can be searched and copied uncut. */
  width: number;
  paint: Paint;
  write: (text: string) => void;
}

const MIN_WIDTH = 60;

/** Describes stdout with the terminal's columns and colours; COLUMNS sets the width if stdout is not a terminal. */
function describeTerminal(): Omit<TerminalOutput, "write"> {
  return {
    width: Math.max(MIN_WIDTH, process.stdout.columns || Number(process.env.COLUMNS) || Infinity),
    paint: choosePaint(),
  };
}

const READER_GONE = new Error("nobody reads this any more");

/**
 * Runs work that calls hooks in this process: their output goes to stderr, they can't end the process, and what they
 * leave running does not keep it alive. Ends the process with the exit code that `work` returns, or 1 if it fails.
 */
export async function runWithHookIsolation(work: (output: TerminalOutput) => Promise<number>): Promise<never> {
  const output: TerminalOutput = { ...describeTerminal(), write: writeOutput };
  guardStdout();
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // Late errors are ignored: in a hook call, the process would have ended with its answer.
  process.on("uncaughtException", () => {}).on("unhandledRejection", () => {});
  for (const signal in SIGNALS) process.on(signal, () => exitOnSignal(signal as keyof typeof SIGNALS));
  try {
    return exitProcess(await work(output));
  } catch (error) {
    if (error instanceof SourceProblemsError)
      writeAll(
        2,
        `${error.message}\nbridge-hooks: ${error.count === 1 ? "an error" : `${error.count} errors`} in the hooks\n`,
      );
    else if (error !== READER_GONE)
      writeAll(2, `bridge-hooks: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitProcess(1);
  }
}

/** Prints a warning on stderr, out of the way of programs that read a command's output. */
export const printWarning = (text: string | undefined): void => {
  if (text !== undefined) writeAll(2, `bridge-hooks: ${text}\n`);
};

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function exitOnSignal(signal: keyof typeof SIGNALS): never {
  removeTempFolders();
  return exitProcess(128 + SIGNALS[signal]);
}

function writeOutput(text: string): void {
  if (!writeAll(getAnswerDescriptor(), text)) throw READER_GONE;
}
