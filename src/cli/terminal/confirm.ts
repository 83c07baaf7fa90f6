import { formatOwnCommand } from "../../system/own-command.ts";

/**
 * Asks the user to confirm. Anything except yes counts as no.
 * @throws Error if stdin or stdout isn't a terminal, or if the output is JSON.
 */
export function confirmWithUser(question: string, output: "text" | "json" = "text"): boolean {
  if (output === "text" && isInteractive()) return /^\s*y(es)?\s*$/i.test(prompt(`\n${question} [y/N]`) ?? "");
  const reason = output === "json" ? "--json can't ask for confirmation" : "no terminal to ask for confirmation";
  throw new Error(
    `no changes made: ${reason}; to skip confirmation: ${formatOwnCommand([...process.argv.slice(2), "--yes"])}`,
  );
}

/** Whether a user can answer a prompt. */
const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;
