const ALLOW_SUGGESTION = String.raw`to allow this call, run (?:[^"]*[\\/])?[\w.-]+'? allow [a-z0-9]{8} in your own terminal`;
const FIELD = new RegExp(String.raw`,?"(?:systemMessage|message)":"${ALLOW_SUGGESTION}"`, "g");
const LINE = new RegExp(String.raw`(?:\\n|\n)?${ALLOW_SUGGESTION}`, "g");

/** Removes the denied call's ID from an answer, because it's different every time. */
export const omitAllowId = (answer: string): string =>
  answer.replace(FIELD, "").replace(LINE, "").replace(/^\{,/, "{").replaceAll('"answer":{,', '"answer":{');

/** Returns the denied call's ID from an answer; undefined if there is none. */
export const findAllowId = (answer: string): string | undefined =>
  /to allow this call, run .*? allow ([a-z0-9]{8}) in/.exec(answer)?.[1];
