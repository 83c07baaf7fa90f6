const listWords = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/**
 * Whether a function prints its arguments, judging by the last part of its name: `console.log`, `print_r`,
 * `fs.writeFileSync`.
 */
export const isPrintingFunction = (name: string): boolean =>
  PRINTING_NAME.test(name) || PRINTING_WORDS.has(name.slice(name.lastIndexOf("_") + 1).toLowerCase());
const PRINTING_NAME = /(?:^|_)[fp]?(?:print|write|puts)|^var_export$/i;
const PRINTING_WORDS = listWords("log p pp echo say info warn warning error debug dir table dump inspect exit die");

/** Whether a word prints its operands without parentheses: `puts ENV["X"]`. */
export const isPrintingStatement = (word: string): boolean => PRINTING_STATEMENT.test(word);
const PRINTING_STATEMENT = /^(?:puts|pp?|print\w*|echo|say|warn|die|abort)$/;
/** If one of these tokens follows a printing word, the word is an ordinary name. */
export const NON_OPERAND_TOKENS = listWords("= : . .. , => == != === =~ ? + / | || & && ?? in of is");

/** Functions whose result is as secret as their argument, listed by the last part of their name in lowercase. */
export const PASS_THROUGH_FUNCTIONS = listWords(
  "str repr string bytes dict list dumper sorted stringify dumps entries values map from b64encode " +
    "urlsafe_b64encode standard_b64encode btoa format join quote return await yield json_encode serialize http_build_query",
);
/** The functions in `PASS_THROUGH_FUNCTIONS` that, given the whole environment, are assumed to serialize it for sending. */
export const SENDING_FUNCTIONS = listWords("stringify dumps");
/** Functions that return an environment's values, with or without names. */
export const VALUE_LISTING_FUNCTIONS = listWords("entries values items to_a");
/** Functions that return an environment's names. */
export const NAME_LISTING_FUNCTIONS = listWords("sorted list set");
/** Functions that iterate over an environment's values. */
export const ITERATION_FUNCTIONS = listWords("each each_pair foreach map flat_map flatmap collect");
/** Functions that return a copy of an environment. */
export const COPYING_FUNCTIONS = listWords("copy to_h to_hash inspect toobject");

/** Functions that read one environment variable or, if called without an argument, all of them. */
export const ENVIRONMENT_FUNCTIONS = listWords("getenv get_env dotenv_values");
/** Methods that read one variable of an environment object. */
export const READING_METHODS = listWords("get fetch");
/** Names for the environment in various languages. jq's `env` is handled separately. */
export const ENVIRONMENT_NAMES = listWords("ENV $ENV $_ENV $_SERVER $GLOBALS ENVIRON environ");
/** Objects whose `env` property is the environment. */
export const ENVIRONMENT_OBJECTS = listWords("process Bun Deno");

/** Operators that only test whether the value after them exists, how long it is, or what it is called. */
export const PREFIX_TEST_OPERATORS = listWords("! != == !== === not if unless in of defined length typeof keys each");
/** Operators that only test the value before them. */
export const POSTFIX_TEST_OPERATORS = listWords("? == != === !== is && and in of = =>");
/** Methods that only test a value. In jq, these are filters after a pipe. */
export const TEST_METHODS = listWords("length size nil empty keys has startswith starts_with start_with");
/** Words that introduce a loop. Its body may read variables by computed names. */
export const LOOP_WORDS = listWords("for foreach keys each each_pair map");
