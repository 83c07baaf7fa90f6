import { ask, deny, type IHookResponse, type RuleEffect, warn } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";
import { nameVariables } from "./shown-command.ts";

/** A violated rule. The placeholders in its reason are already replaced by the matched operands. */
export interface BrokenRule {
  id: string;
  reason: string;
  advice?: string;
  action: RuleEffect;
}

/** Maximum length of a command in a message. */
const MAX_SHOWN_COMMAND_LENGTH = 200;

/**
 * Builds the response from the command, the reason, and the safer alternative.
 * @param context the shell command; its shell determines the variable syntax in the message
 */
export function buildAnswer(
  command: string,
  { id, reason, advice, action }: BrokenRule,
  context?: Pick<LineContext, "line" | "shell">,
): IHookResponse {
  const shownCommand =
    command.length > MAX_SHOWN_COMMAND_LENGTH ? `${command.slice(0, MAX_SHOWN_COMMAND_LENGTH)}…` : command;
  const text = advice === undefined ? reason : `${reason}; ${advice}`;
  const explanation = context ? nameVariables(text, context.line, context.shell) : text;
  const cause = { rule: id, subject: command };
  if (action === "ask")
    return ask(`Run "${shownCommand}"? ${explanation[0]?.toUpperCase()}${explanation.slice(1)}.`, cause);
  if (action === "warn") return warn(`"${shownCommand}": ${explanation}.`, cause);
  return deny(`Blocked "${shownCommand}": ${explanation}. If this is intended, ask the user to run it.`, cause);
}

const getStrictness = ({ decision, mode }: IHookResponse): number =>
  mode === "warn" ? 1 : decision === "deny" ? 3 : 2;

/** Returns the strictest response, or the first one if several are equally strict. */
export function pickStrictest(responses: readonly (IHookResponse | undefined)[]): IHookResponse | undefined {
  let strictest: IHookResponse | undefined;
  for (const response of responses)
    if (response && (!strictest || getStrictness(response) > getStrictness(strictest))) strictest = response;
  return strictest;
}
