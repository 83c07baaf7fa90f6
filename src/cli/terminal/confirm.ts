import { formatOwnCommand } from "../../system/own-command.ts";

/**
 * Asks the user; anything but yes counts as no.
 * @throws Error if stdin or stdout isn't a terminal, or if the output is JSON.
 */
export function confirmWithUser(question: string, output: "text" | "json" = "text"): boolean {
  if (output === "text" && isInteractive()) return /^\s*y(es)?\s*$/i.test(prompt(`\n${question} [y/N]`) ?? "");
  const why = output === "json" ? "with --json nobody is asked" : "nobody can be asked without a terminal";
  throw new Error(
    `nothing was written: ${why}; to do it unasked: ${formatOwnCommand([...process.argv.slice(2), "--yes"])}`,
  );
}

/** Whether a user can answer a prompt. */
const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;
