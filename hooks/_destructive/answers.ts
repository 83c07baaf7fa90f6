import { ask, deny, type IHookResponse, type RuleEffect, warn } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";
import { nameVariables } from "./shown-command.ts";

/** A rule that a call breaks, with what it does: its reason, with what was found in the place of the sets. */
export interface Harm {
  id: string;
  reason: string;
  advice?: string;
  action: RuleEffect;
}

/** Characters of a command that a message shows. */
const MAX_SHOWN = 200;

/**
 * The answer that names the command, the reason and the safer way.
 * @param here the line that it is about: its shell names variables in its own way.
 */
export function buildAnswer(
  command: string,
  { id, reason, advice, action }: Harm,
  here?: Pick<LineContext, "line" | "shell">,
): IHookResponse {
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  const text = advice === undefined ? reason : `${reason}; ${advice}`;
  const why = here ? nameVariables(text, here.line, here.shell) : text;
  const cause = { rule: id, subject: command };
  if (action === "ask") return ask(`Run "${shown}"? ${why[0]?.toUpperCase()}${why.slice(1)}.`, cause);
  if (action === "warn") return warn(`"${shown}": ${why}.`, cause);
  return deny(`Blocked "${shown}": ${why}. Ask the user to run it if it is really wanted.`, cause);
}

const getStrictness = ({ decision, mode }: IHookResponse): number =>
  mode === "warn" ? 1 : decision === "deny" ? 3 : 2;

/** The strictest of some answers; of several such, the first. */
export function pickStrictest(answers: readonly (IHookResponse | undefined)[]): IHookResponse | undefined {
  let found: IHookResponse | undefined;
  for (const answer of answers) if (answer && (!found || getStrictness(answer) > getStrictness(found))) found = answer;
  return found;
}
