import { formatOwnCommand } from "../../system/own-command.ts";

/**
 * Asks the user; anything but yes counts as no.
 * @throws Error if nobody is there to answer, or a program reads the output.
 */
export function confirmWithUser(question: string, output: "text" | "json" = "text"): boolean {
  if (output === "text" && isInteractive()) return /^\s*y(es)?\s*$/i.test(prompt(`\n${question} [y/N]`) ?? "");
  const why = output === "json" ? "with --json nobody is asked" : "nobody can be asked without a terminal";
  throw new Error(
    `nothing was written: ${why}; to do it unasked: ${formatOwnCommand([...process.argv.slice(2), "--yes"])}`,
  );
}

/** Whether a person is there to answer a question. */
const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;
