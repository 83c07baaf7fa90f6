const WAY = String.raw`to let it pass on purpose: (?:[^"]*[\\/])?[\w.-]+'? allow [a-z0-9]{8}, in a terminal of your own`;
const FIELD = new RegExp(String.raw`,?"(?:systemMessage|message)":"${WAY}"`, "g");
const LINE = new RegExp(String.raw`(?:\\n|\n)?${WAY}`, "g");

/** An answer without the id of the denied call, which is another one each time. */
export const omitAllowId = (answer: string): string =>
  answer.replace(FIELD, "").replace(LINE, "").replace(/^\{,/, "{").replaceAll('"answer":{,', '"answer":{');

/** The id of the denied call that an answer tells the person; undefined if it tells none. */
export const findAllowId = (answer: string): string | undefined =>
  /to let it pass on purpose: .*? allow ([a-z0-9]{8}),/.exec(answer)?.[1];
