const listWords = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** What shows what it is given, by the last part of its name: `console.log`, `print_r`, `fs.writeFileSync`. */
export const isShowing = (name: string): boolean =>
  SHOWING_NAME.test(name) || SHOWING_WORDS.has(name.slice(name.lastIndexOf("_") + 1).toLowerCase());
const SHOWING_NAME = /(?:^|_)[fp]?(?:print|write|puts)|^var_export$/i;
const SHOWING_WORDS = listWords("log p pp echo say info warn warning error debug dir table dump inspect exit die");

/** The same without parentheses: `puts ENV["X"]`. */
export const isShowingStatement = (word: string): boolean => SHOWING_STATEMENT.test(word);
const SHOWING_STATEMENT = /^(?:puts|pp?|print\w*|echo|say|warn|die|abort)$/;
/** Behind such a word, what says that it is a name of something else. */
export const NO_OPERAND = listWords("= : . .. , => == != === =~ ? + / | || & && ?? in of is");

/** What gives something as secret as what it gets, by the last part of its name in small letters. */
export const PASSING_FUNCTIONS = listWords(
  "str repr string bytes dict list dumper sorted stringify dumps entries values map from b64encode " +
    "urlsafe_b64encode standard_b64encode btoa format join quote return await yield json_encode serialize http_build_query",
);
/** Of these, what makes the whole environment ready to be sent. */
export const SENDING_FUNCTIONS = listWords("stringify dumps");
/** What gives an environment's values, with its names or without. */
export const VALUES_FUNCTIONS = listWords("entries values items to_a");
/** What gives an environment's names. */
export const NAMES_FUNCTIONS = listWords("sorted list set");
/** What goes through an environment's values. */
export const EACH_FUNCTIONS = listWords("each each_pair foreach map flat_map flatmap collect");
/** What gives a copy of an environment, as it is. */
export const COPYING_FUNCTIONS = listWords("copy to_h to_hash inspect toobject");

/** What reads one variable of the environment that it is asked for, or all if none. */
export const ENVIRONMENT_FUNCTIONS = listWords("getenv get_env dotenv_values");
/** What reads one of an environment. */
export const READING_METHODS = listWords("get fetch");
/** The environment by the name of a variable. In jq it is `env`, too. */
export const ENVIRONMENTS = listWords("ENV $ENV $_ENV $_SERVER $GLOBALS ENVIRON environ");
/** What has the environment as its `env`. */
export const ENVIRONMENT_OWNERS = listWords("process Bun Deno");

/** What only asks of what follows whether it is there, how long it is, or what it is called. */
export const TESTS_BEFORE = listWords("! != == !== === not if unless in of defined length typeof keys each");
/** The same of what stands before it. */
export const TESTS_AFTER = listWords("? == != === !== is && and in of = =>");
/** The same as a method, or behind a pipe. */
export const TESTING_METHODS = listWords("length size nil empty keys has startswith starts_with start_with");
/** What begins a loop, in which a variable is asked for by the name of another. */
export const LOOP_WORDS = listWords("for foreach keys each each_pair map");
