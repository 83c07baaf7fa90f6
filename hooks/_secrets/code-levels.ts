import { type Frame, getHigherLevel, Level, type Operand, type WalkState } from "./code-model.ts";
import * as words from "./code-words.ts";

const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]*$/;

function readVariable(walk: WalkState, name: string): Level {
  if (!walk.isSecret(name)) return Level.nothing;
  walk.secretName ??= name;
  return Level.secret;
}

/**
 * Returns the secrecy level of an environment variable accessed with brackets, as in `env[key]`. The key is the
 * variable's name, or a variable that holds the name. `end` is the index of the closing bracket.
 */
function readNamedVariable(walk: WalkState, { at, level }: Frame, end: number): Level {
  const [first, second] = [walk.tokens[at + 1], walk.tokens[at + 2]];
  const isName = first?.kind === "text" || (first?.kind === "word" && VARIABLE_NAME.test(first.text));
  if (first && isName && (at + 2 >= end || second?.text === ",")) return readVariable(walk, first.text);
  return walk.isLoop ? Level.secret : level;
}

/** Returns the secrecy level of what a word refers to. */
export function getWordLevel({ tokens, program, names }: WalkState, word: string, at: number): Level {
  const nextToken = tokens[at + 1];
  const isKey =
    nextToken?.kind === "sign" &&
    (nextToken.text === ":" || (nextToken.text === "=" && tokens[at + 2]?.kind !== "close"));
  if (isKey) return Level.nothing;
  if (words.ENVIRONMENT_NAMES.has(word)) return Level.environment;
  // Printing Node's `process` object prints the environment as well.
  if (word === "process" && nextToken?.kind === "close") return Level.environment;
  const isMember = nextToken?.text === "." && VARIABLE_NAME.test(tokens[at + 2]?.text ?? "");
  if (word === "env" && (program === "jq" || isMember)) return Level.environment;
  return names.get(word.replace(/^\$/, "")) ?? Level.nothing;
}

/** Returns the secrecy level of one of a value's members. */
export function getMemberLevel(
  walk: WalkState,
  { level, name }: Operand,
  { text: member, isCalled }: { text: string; isCalled: boolean },
): Level {
  const lowerName = member.toLowerCase();
  if (/^environb?$/.test(member) || member === "getReport" || (member === "env" && words.ENVIRONMENT_OBJECTS.has(name)))
    return Level.environment;
  if (level === Level.nothing || words.TEST_METHODS.has(lowerName)) return Level.nothing;
  if (level === Level.holder && !isCalled) return readPart(walk, member);
  if (level !== Level.environment) return level;
  if (VARIABLE_NAME.test(member)) return readVariable(walk, member);
  if (words.VALUES_FUNCTIONS.has(lowerName)) return Level.values;
  const keepsEnvironment = [words.COPYING_FUNCTIONS, words.EACH_FUNCTIONS, words.READING_METHODS].some((set) =>
    set.has(lowerName),
  );
  return keepsEnvironment ? Level.environment : Level.nothing;
}

/** Returns the secrecy level of an item in a list or object that contains a secret, judging by the item's name. */
const readPart = ({ isSecret }: WalkState, name: string): Level =>
  isSecret(`X_${name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`) ? Level.secret : Level.nothing;

export function getIndexLevel(walk: WalkState, frame: Frame, { level }: Operand, end: number): Level {
  if (level === Level.environment) return readNamedVariable(walk, frame, end);
  if (level === Level.nothing) return frame.level;
  const key = walk.tokens[frame.at + 1];
  if (level !== Level.holder) return level;
  return key?.kind === "text" && frame.at + 2 >= end ? readPart(walk, key.text) : Level.secret;
}

/** Whether a call prints its arguments or the whole environment: `print(x)`, `phpinfo()`, `foreach(println, ENV)`. */
function printsArguments({ tokens }: WalkState, { at, level }: Frame, name: string): boolean {
  if (level > Level.nothing && words.isPrintingFunction(name)) return true;
  if (level < Level.environment) return name.toLowerCase() === "phpinfo";
  const lowerName = name.toLowerCase();
  return (
    words.SENDING_FUNCTIONS.has(lowerName) ||
    (words.EACH_FUNCTIONS.has(lowerName) && words.isPrintingFunction(tokens[at + 1]?.text ?? ""))
  );
}

/** Returns the secrecy level of a call's result and notes whether the call prints its arguments. */
export function getCallLevel(walk: WalkState, frame: Frame, owner: Operand, end: number): Level {
  const name = owner.name.toLowerCase();
  const { level } = frame;
  if (printsArguments(walk, frame, owner.name)) walk.printsSecret = true;
  if (words.ENVIRONMENT_FUNCTIONS.has(name))
    return end === frame.at + 1 ? Level.environment : readNamedVariable(walk, frame, end);
  if (owner.level === Level.environment && words.READING_METHODS.has(name)) return readNamedVariable(walk, frame, end);
  if (owner.level > Level.nothing && words.EACH_FUNCTIONS.has(name)) {
    const callback = walk.tokens[end - 1];
    if (callback?.kind === "word" && words.isPrintingFunction(callback.text)) walk.printsSecret = true;
    return name.includes("each") ? Level.nothing : level;
  }
  if (level === Level.environment && words.NAMES_FUNCTIONS.has(name)) return Level.nothing;
  if (level === Level.environment && words.VALUES_FUNCTIONS.has(name)) return Level.values;
  if (level === Level.secret && name === "dict") return Level.holder;
  const passesArgument = name === "" || words.PASS_THROUGH_FUNCTIONS.has(name);
  return passesArgument ? getHigherLevel(owner.level, level) : owner.level;
}
