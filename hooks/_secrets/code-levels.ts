import { type Frame, getHigherSecrecyLevel, SecrecyLevel, type Operand, type WalkState } from "./code-model.ts";
import * as words from "./code-words.ts";

const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]*$/;

function readVariable(walk: WalkState, name: string): SecrecyLevel {
  if (!walk.isSecret(name)) return SecrecyLevel.nothing;
  walk.secretName ??= name;
  return SecrecyLevel.secret;
}

/**
 * Returns the secrecy level of an environment variable accessed with brackets, as in `env[key]`. The key is the
 * variable's name, or a variable that holds the name. `end` is the index of the closing bracket.
 */
function readNamedVariable(walk: WalkState, { at, level }: Frame, end: number): SecrecyLevel {
  const [first, second] = [walk.tokens[at + 1], walk.tokens[at + 2]];
  const isName = first?.kind === "text" || (first?.kind === "word" && VARIABLE_NAME.test(first.text));
  if (first && isName && (at + 2 >= end || second?.text === ",")) return readVariable(walk, first.text);
  return walk.isLoop ? SecrecyLevel.secret : level;
}

/** Returns the secrecy level of what a word refers to. */
export function getWordLevel({ tokens, program, names }: WalkState, word: string, at: number): SecrecyLevel {
  const nextToken = tokens[at + 1];
  const isKey =
    nextToken?.kind === "sign" &&
    (nextToken.text === ":" || (nextToken.text === "=" && tokens[at + 2]?.kind !== "close"));
  if (isKey) return SecrecyLevel.nothing;
  if (words.ENVIRONMENT_NAMES.has(word)) return SecrecyLevel.environment;
  // Printing Node's `process` object prints the environment as well.
  if (word === "process" && nextToken?.kind === "close") return SecrecyLevel.environment;
  const isMember = nextToken?.text === "." && VARIABLE_NAME.test(tokens[at + 2]?.text ?? "");
  if (word === "env" && (program === "jq" || isMember)) return SecrecyLevel.environment;
  return names.get(word.replace(/^\$/, "")) ?? SecrecyLevel.nothing;
}

/** Returns the secrecy level of one of a value's members. */
export function getMemberLevel(
  walk: WalkState,
  { level, name }: Operand,
  { text: member, isCalled }: { text: string; isCalled: boolean },
): SecrecyLevel {
  const lowerName = member.toLowerCase();
  if (/^environb?$/.test(member) || member === "getReport" || (member === "env" && words.ENVIRONMENT_OBJECTS.has(name)))
    return SecrecyLevel.environment;
  if (level === SecrecyLevel.nothing || words.TEST_METHODS.has(lowerName)) return SecrecyLevel.nothing;
  if (level === SecrecyLevel.holder && !isCalled) return readItemLevel(walk, member);
  if (level !== SecrecyLevel.environment) return level;
  if (VARIABLE_NAME.test(member)) return readVariable(walk, member);
  if (words.VALUE_LISTING_FUNCTIONS.has(lowerName)) return SecrecyLevel.values;
  const keepsEnvironment = [words.COPYING_FUNCTIONS, words.ITERATION_FUNCTIONS, words.READING_METHODS].some((set) =>
    set.has(lowerName),
  );
  return keepsEnvironment ? SecrecyLevel.environment : SecrecyLevel.nothing;
}

/** Returns the secrecy level of an item in a list or object that contains a secret, judging by the item's name. */
const readItemLevel = ({ isSecret }: WalkState, name: string): SecrecyLevel =>
  isSecret(`X_${name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`) ? SecrecyLevel.secret : SecrecyLevel.nothing;

export function getIndexLevel(walk: WalkState, frame: Frame, { level }: Operand, end: number): SecrecyLevel {
  if (level === SecrecyLevel.environment) return readNamedVariable(walk, frame, end);
  if (level === SecrecyLevel.nothing) return frame.level;
  const key = walk.tokens[frame.at + 1];
  if (level !== SecrecyLevel.holder) return level;
  return key?.kind === "text" && frame.at + 2 >= end ? readItemLevel(walk, key.text) : SecrecyLevel.secret;
}

/** Whether a call prints its arguments or the whole environment: `print(x)`, `phpinfo()`, `foreach(println, ENV)`. */
function printsArguments({ tokens }: WalkState, { at, level }: Frame, name: string): boolean {
  if (level > SecrecyLevel.nothing && words.isPrintingFunction(name)) return true;
  if (level < SecrecyLevel.environment) return name.toLowerCase() === "phpinfo";
  const lowerName = name.toLowerCase();
  return (
    words.SENDING_FUNCTIONS.has(lowerName) ||
    (words.ITERATION_FUNCTIONS.has(lowerName) && words.isPrintingFunction(tokens[at + 1]?.text ?? ""))
  );
}

/** Returns the secrecy level of a call's result and notes whether the call prints its arguments. */
export function getCallLevel(walk: WalkState, frame: Frame, owner: Operand, end: number): SecrecyLevel {
  const name = owner.name.toLowerCase();
  const { level } = frame;
  if (printsArguments(walk, frame, owner.name)) walk.printsSecret = true;
  if (words.ENVIRONMENT_FUNCTIONS.has(name))
    return end === frame.at + 1 ? SecrecyLevel.environment : readNamedVariable(walk, frame, end);
  if (owner.level === SecrecyLevel.environment && words.READING_METHODS.has(name))
    return readNamedVariable(walk, frame, end);
  if (owner.level > SecrecyLevel.nothing && words.ITERATION_FUNCTIONS.has(name)) {
    const callback = walk.tokens[end - 1];
    if (callback?.kind === "word" && words.isPrintingFunction(callback.text)) walk.printsSecret = true;
    return name.includes("each") ? SecrecyLevel.nothing : level;
  }
  if (level === SecrecyLevel.environment && words.NAME_LISTING_FUNCTIONS.has(name)) return SecrecyLevel.nothing;
  if (level === SecrecyLevel.environment && words.VALUE_LISTING_FUNCTIONS.has(name)) return SecrecyLevel.values;
  if (level === SecrecyLevel.secret && name === "dict") return SecrecyLevel.holder;
  const passesArgument = name === "" || words.PASS_THROUGH_FUNCTIONS.has(name);
  return passesArgument ? getHigherSecrecyLevel(owner.level, level) : owner.level;
}
