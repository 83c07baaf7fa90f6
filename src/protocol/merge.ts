import type { IHookResponse } from "./response.ts";

const STRICTNESS = { deny: 3, ask: 2, allow: 1 } as const;
const getStrictness = (response: IHookResponse) => (response.decision ? STRICTNESS[response.decision] : 0);

const joinStrings = (texts: (string | undefined)[], separator: string) =>
  texts.filter(Boolean).join(separator) || undefined;

/** Returns whether a response is a restriction, meaning that something would be allowed if the response were lost. */
export const isRestriction = ({ decision, modified_input, modified_output }: IHookResponse): boolean =>
  decision === "deny" || decision === "ask" || modified_input !== undefined || modified_output !== undefined;

/** Keeps only the first response for each subject, because one reason is enough. */
const omitRepeatedResponses = (responses: readonly IHookResponse[]): IHookResponse[] =>
  responses.filter(
    ({ subject }, at) =>
      subject === undefined || responses.findIndex((otherResponse) => otherResponse.subject === subject) === at,
  );

/** Appends the id of the rule that caused a message, in the form used by `bridge-hooks rules` and the config files. */
const appendRuleId = (text: string | undefined, rule: string | undefined) =>
  text && rule !== undefined ? `${text} [bridge-hooks ${rule}]` : text;

/**
 * Merges the responses of several hooks, in order. The strictest decision wins, with the reasons of all hooks that
 * returned it. Messages and contexts are joined. Later patches and variables override earlier ones. The last result
 * wins, because the hook that returned it saw the previous result. The rule and the subject belong to the first reason.
 */
export function mergeResponses(responses: readonly IHookResponse[]): IHookResponse {
  const maxStrictness = Math.max(0, ...responses.map(getStrictness));
  const strictestResponses = responses.filter((response) => getStrictness(response) === maxStrictness);
  const patches = responses.map((response) => response.modified_input).filter((patch) => patch !== undefined);
  const variables = responses.flatMap(({ session_env = {} }) => Object.entries(session_env));
  // List the fields by name, so that a new field causes a compile error until it's merged.
  const mergedResponse: { [Field in keyof Required<IHookResponse>]: IHookResponse[Field] | undefined } = {
    decision: strictestResponses[0]?.decision,
    reason: joinStrings(
      (maxStrictness > STRICTNESS.allow ? omitRepeatedResponses(strictestResponses) : strictestResponses).map(
        ({ reason, rule }) => appendRuleId(reason, rule),
      ),
      "\n",
    ),
    user_message: joinStrings(
      responses.map(({ user_message, rule }) => appendRuleId(user_message, rule)),
      "\n",
    ),
    additional_context: joinStrings(
      responses.map((response) => response.additional_context),
      "\n\n",
    ),
    modified_input: patches.length > 0 ? Object.assign({}, ...patches) : undefined,
    modified_output: responses.findLast(({ modified_output }) => modified_output !== undefined)?.modified_output,
    session_env: variables.length > 0 ? Object.fromEntries(variables) : undefined,
    rule: strictestResponses[0]?.rule,
    subject: strictestResponses[0]?.subject,
    // Withheld decisions have already been removed.
    mode: undefined,
  };
  return Object.fromEntries(Object.entries(mergedResponse).filter(([, value]) => value !== undefined));
}
