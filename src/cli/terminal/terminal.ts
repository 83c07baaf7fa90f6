import { SourceProblemsError } from "../build/problem.ts";
import { choosePaint } from "./colors.ts";
import { wrapLongLines, type PageLayout } from "./layout.ts";
import { showInPager } from "./pager.ts";
import { isUnicode, replaceSymbols } from "./symbols.ts";
import { removeTempFolders } from "../../author/testing/temp-dir.ts";
import { getAnswerDescriptor, exitProcess, guardStdout, writeAll } from "../../call/process/io.ts";

/** The output functions of a command. */
export interface TerminalOutput extends PageLayout {
  /** Writes data for programs, unchanged. */
  write: (text: string) => void;
  /** Writes text for people, wrapped to the terminal's width. */
  say: (text: string) => void;
  /** Writes a human-readable document. Uses the pager if the document is longer than the screen. */
  show: (text: string) => void;
}

const MIN_WIDTH = 40;

/** Returns the terminal's width, or 80 if the terminal doesn't report one. */
const getColumns = ({ columns }: NodeJS.WriteStream) => columns || 80;

/** Describes stdout with the terminal's width and colors. COLUMNS sets the width if stdout isn't a terminal. */
export const describeTerminal = (): PageLayout => ({
  width: Math.max(
    MIN_WIDTH,
    process.stdout.isTTY ? getColumns(process.stdout) : Number(process.env.COLUMNS) || Infinity,
  ),
  paint: choosePaint(),
});

/** If a stream is a terminal, wraps finished text to the terminal's width. */
export const wrapForTerminal = (text: string, stream: NodeJS.WriteStream): string =>
  stream.isTTY
    ? wrapLongLines(isUnicode() ? text : replaceSymbols(text), Math.max(MIN_WIDTH, getColumns(stream)))
    : text;

const READER_CLOSED = new Error("the reader closed the output");

/**
 * Runs `work`, which calls hooks in this process. The hooks' output goes to stderr, hooks can't end the process, and
 * unfinished tasks don't keep the process alive. Ends the process with the exit code that `work` returns, or 1 on
 * failure.
 */
export async function runWithHookIsolation(work: (output: TerminalOutput) => Promise<number>): Promise<never> {
  const { stdout, stderr } = process;
  const say = (text: string) => writeOutput(wrapForTerminal(text, stdout));
  const show = (text: string) => {
    const fitted = wrapForTerminal(text, stdout);
    if (!showInPager(fitted, getAnswerDescriptor())) writeOutput(fitted);
  };
  const output: TerminalOutput = { ...describeTerminal(), write: writeOutput, say, show };
  guardStdout();
  stdout.write = stderr.write.bind(stderr);
  // Ignore late errors, because a real hook call would already have answered and ended.
  process.on("uncaughtException", () => {}).on("unhandledRejection", () => {});
  for (const signal in SIGNAL_NUMBERS) process.on(signal, () => exitOnSignal(signal as keyof typeof SIGNAL_NUMBERS));
  try {
    return exitProcess(await work(output));
  } catch (error) {
    if (error instanceof SourceProblemsError)
      writeAll(
        2,
        `${error.message}\nbridge-hooks: ${error.count === 1 ? "an error" : `${error.count} errors`} in the hooks\n`,
      );
    else if (error !== READER_CLOSED) printWarning(error instanceof Error ? error.message : String(error));
    return exitProcess(1);
  }
}

/** Prints a warning on stderr, separate from a command's output. */
export const printWarning = (text: string | undefined): void => {
  if (text !== undefined) writeAll(2, wrapForTerminal(`bridge-hooks: ${text}\n`, process.stderr));
};

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

function exitOnSignal(signal: keyof typeof SIGNAL_NUMBERS): never {
  removeTempFolders();
  return exitProcess(128 + SIGNAL_NUMBERS[signal]);
}

function writeOutput(text: string): void {
  if (!writeAll(getAnswerDescriptor(), text)) throw READER_CLOSED;
}
