import { type ExpressionReader, listLoopVariables, type PathExpression } from "./loops.ts";
import { HOME_EXPRESSION, quoteWord } from "./tokens.ts";
import { removeBackslashes, matchAt } from "../words/text.ts";
import { findMoves, findWrites } from "./writes.ts";

/** Calls that remove a directory tree, an empty directory or a file, each with the equivalent shell command. */
const REMOVAL_CALLS: readonly (readonly [removal: string, call: RegExp])[] = [
  [
    "rm -rf",
    /(?<![\w$-])(?:rmtree|remove_tree|rm_rf!?|rm_r|remove_dir|remove_entry(?:_secure)?|rmSync|rmdirSync|removeSync|emptyDir(?:Sync)?|rimraf(?:["']\))?(?:\.\w+|Sync)?|removedirs|delete_tree|(?:fsp?|fse|fsExtra|promises|fsPromises)\.(?:rm|remove|rmdir)|Deno\.remove|(?:(?<!\.)|(?<=["']\)\.))rm(?=\s*\()|send2trash)(?![\w-])/g,
  ],
  ["rmdir", /(?<![\w$-])(?:rmdir|(?<=Dir\.)(?:delete|unlink))(?![\w-])/g],
  ["rm -f", /(?<![\w$-])(?:os\.remove|File\.(?:delete|rm!?)|file\.remove|unlink(?:Sync)?)(?![\w-])/g],
];
/**
 * Start of a call's arguments: `rm("x")`, `rm "x"`, `fs["rm"]("x")`. The first argument may be the quoted name of the
 * function to call: `array_map("unlink", x)`.
 */
const CALL_START = /^(?:["']\]\s*\(|\s*\()/;
const CALLBACK_ARGUMENT_START = /^["']\s*,/;
const CALLBACK_CALL = /(?:array_map|array_walk|call_user_func(?:_array)?)\s*\(\s*["']$/;
/** Constructors of path objects, and methods that remove the path. */
const PATH_CONSTRUCTOR = /(?<![\w$-])(?:Path|Pathname(?:\.new)?|File(?:\.new)?|file)\s*\(/g;
const REMOVAL_METHOD =
  /\s*\)\s*\.\s*(?:(unlink|delete|remove)|(rmdir)|(rmtree|deleteDir|deleteRecursively|delete_tree)|(write_(?:text|bytes)))\b/y;
/** Option after the path that makes a call remove an entire directory tree. */
const RECURSIVE_OPTION = /^\s{0,9},[^;\n()]{0,40}\brecursive\s{0,3}=\s{0,3}(?:T|1)/;

/** Sticky patterns, because each token must start where the previous one ended. */
const STRING_LITERAL = /([rbfuRBFU]{0,2})(["'`])((?:(?!\2)[^\\]|\\[^])*)\2/y;
const CURRENT_FOLDER_EXPRESSION = /process\.cwd\(\)|os\.getcwd\(\)|(?:\w+\.)?Path\.cwd\(\)|Dir\.pwd\b|getcwd\(\)/y;
/** Functions that join their arguments into a path or convert a path. */
const PATH_FUNCTION =
  /(?:\w{1,20}\.){0,3}(?:Path|PurePath|Pathname(?:\.new)?|join|joinpath|resolve|normalize|abspath|realpath|str|String|fspath|expand_path|(expanduser)|(i?glob(?:Sync)?))\s*\(|(glob)\s+(?=["'])/y;
const ASSIGNMENT_PATTERN = /(?:^|[\s;{(])(?:(?:const|let|var|my|our)\s+)?(\$?[A-Za-z_]\w*)\s*=\s*(?=["'`A-Za-z$])/g;
const INTERPOLATION = /[$#]?\{([^{}]*)\}|(\$ENV\{HOME\})/g;

const MAX_CALLS = 100;
const MAX_EXPRESSION_LENGTH = 600;

/** Converts a string to a shell word, filling in interpolated home directories and known variables. */
function readString([, prefix = "", quote = "", text = ""]: RegExpExecArray, names: ReadonlyMap<string, string>) {
  const isFilled = quote === "`" || /f/i.test(prefix) || (quote === '"' && /#\{|\$ENV\{/.test(text));
  if (!isFilled) return quoteWord(/r/i.test(prefix) ? text : removeBackslashes(text));
  let word = "";
  let textStart = 0;
  for (const match of text.matchAll(INTERPOLATION)) {
    const expression = match[2] ?? match[1] ?? "";
    const value =
      matchAt(HOME_EXPRESSION, expression, 0)?.[0] === expression ? QUOTED_HOME_VARIABLE : names.get(expression.trim());
    if (value === undefined) return undefined;
    word += quoteWord(removeBackslashes(text.slice(textStart, match.index))) + value;
    textStart = match.index + match[0].length;
  }
  return word + quoteWord(removeBackslashes(text.slice(textStart)));
}

/** State while reading comma-separated constant expressions. */
interface OpenExpression {
  names: ReadonlyMap<string, string>;
  words: string[];
  word: string;
  /** Open brackets of path-joining calls and lists. */
  openBrackets: ("join" | "list")[];
  isPattern: boolean;
}
/** Effect of a token on the expressions being read: it ends them or makes them non-constant. */
type TokenEffect = "end" | "unknown" | void;

const TOKEN_READERS: readonly (readonly [
  token: RegExp,
  read: (match: RegExpExecArray, at: OpenExpression) => TokenEffect,
])[] = [
  [/[ \t\n]+/y, ([blank], { openBrackets }) => (openBrackets.length === 0 && blank.includes("\n") ? "end" : undefined)],
  [STRING_LITERAL, addString],
  [HOME_EXPRESSION, (_, at) => void (at.word += QUOTED_HOME_VARIABLE)],
  [CURRENT_FOLDER_EXPRESSION, (_, at) => void (at.word += ".")],
  [
    PATH_FUNCTION,
    ([, , glob, bareGlob], at) => {
      if (bareGlob === undefined) at.openBrackets.push("join");
      at.isPattern ||= (glob ?? bareGlob) !== undefined;
    },
  ],
  [/\$?[A-Za-z_]\w*(?![\w.([{])|[^]/y, addOperator],
];

const QUOTED_HOME_VARIABLE = '"$HOME"';
/** Converts a quoted word to an unquoted word that the shell expands. */
const toUnquotedWord = (word: string) => word.slice(1, -1).replaceAll(/[^\w.~/*?[\]-]/g, "\\$&");

function addString(match: RegExpExecArray, at: OpenExpression): TokenEffect {
  const word = readString(match, at.names);
  if (word === undefined) return "unknown";
  // The `~` in `expanduser` and the pattern in `glob` expand as they do in a shell.
  const mayExpand = at.isPattern || /^'~(?:\/|'$)/.test(word);
  at.word += mayExpand ? word.split(QUOTED_HOME_VARIABLE).map(toUnquotedWord).join(QUOTED_HOME_VARIABLE) : word;
}

/** Reads a name or operator between two strings. */
function addOperator({ 0: symbol, input, index }: RegExpExecArray, at: OpenExpression): TokenEffect {
  const { names, openBrackets } = at;
  const value = symbol === "/" ? symbol : names.get(symbol);
  if (value !== undefined) at.word += value;
  else if (symbol === "[" || symbol === "(") openBrackets.push("list");
  else if (symbol === "]" || symbol === ")") return openBrackets.pop() === undefined ? "end" : undefined;
  else if (symbol === ",") {
    if (openBrackets.at(-1) === "join") at.word += "/";
    else endWord(at);
    // Arguments after the path may be options, so the path ends here.
    if (openBrackets.length === 0 && /^\s*[^\s"'`]/.test(input.slice(index + 1, index + 20))) return "end";
  } else if (symbol === ";" || symbol === "}") return "end";
  else if (symbol !== "+" && !(symbol === "." && /[\s"'`$]/.test(input[index + 1] ?? ""))) return "unknown";
}

function endWord(at: OpenExpression): void {
  if (at.word !== "") at.words.push(at.word);
  at.word = "";
}

/** Reads comma-separated constant expressions: `"a" + os.sep`, `path.join(os.homedir(), "x")`, `["a", "b"]`. */
function readExpression(code: string, names: ReadonlyMap<string, string>): PathExpression | undefined {
  const expression: OpenExpression = { names, words: [], word: "", openBrackets: [], isPattern: false };
  let end = 0;
  for (let effect: TokenEffect = undefined; end < code.length && effect === undefined;)
    for (const [token, addToken] of TOKEN_READERS) {
      const match = matchAt(token, code, end);
      if (!match) continue;
      effect = addToken(match, expression);
      if (effect === "unknown") return undefined;
      if (effect === undefined) end += match[0].length;
      break;
    }
  if (expression.openBrackets.length > 0) return undefined;
  endWord(expression);
  return expression.words.length > 0 ? { words: expression.words, end } : undefined;
}

const sliceExpression = (code: string, start: number) => code.slice(start, start + MAX_EXPRESSION_LENGTH);

/** Lists the variables whose value is a constant path, including loop variables. */
export function listConstants(code: string): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const { 0: match, 1: name = "", index } of code.matchAll(ASSIGNMENT_PATTERN).take(MAX_CALLS)) {
    const expression = readExpression(sliceExpression(code, index + match.length), constants);
    if (expression?.words.length === 1) constants.set(name, expression.words[0] as string);
  }
  for (const [name, word] of listLoopVariables(code, (start) =>
    readExpression(sliceExpression(code, start), constants),
  ))
    if (!constants.has(name)) constants.set(name, word);
  return constants;
}

const FOLDER_CHANGE = /\b(?:os\.|process\.|Dir\.)?chdir[\s(]{0,9}/g;

/** Splits code at each change of the working directory. Returns each part along with the `cd` commands before it. */
export function splitAtFolderChanges(code: string): { part: string; folder: string }[] {
  const parts: { part: string; folder: string }[] = [];
  let partStart = 0;
  let folder = "";
  for (const { 0: match, index } of code.matchAll(FOLDER_CHANGE).take(MAX_CALLS)) {
    const start = index + match.length;
    const [word] = readExpression(sliceExpression(code, start), new Map())?.words ?? [];
    if (word === undefined) continue;
    parts.push({ part: code.slice(partStart, index), folder });
    partStart = start;
    folder += `${folder === "" ? "" : "\n"}cd -- ${word}`;
  }
  return [...parts, { part: code.slice(partStart), folder }];
}

/**
 * Finds calls that remove, move or write to constant paths. Returns the equivalent `rm`, `mv` and redirection commands.
 * @param names variables whose value is a constant path
 */
export function findDeletions(code: string, names: ReadonlyMap<string, string>): string[] {
  const readPaths: ExpressionReader = (start) => readExpression(sliceExpression(code, start), names);
  const commands = [...findWrites(code, readPaths), ...findMoves(code, readPaths)];
  for (const [removal, call] of REMOVAL_CALLS)
    for (const { 0: name, index } of code.matchAll(call).take(MAX_CALLS)) {
      const start = index + name.length;
      const isNamed = CALLBACK_CALL.test(code.slice(Math.max(0, index - 30), index));
      const [openingText = ""] =
        (isNamed ? CALLBACK_ARGUMENT_START : CALL_START).exec(code.slice(start, start + 20)) ?? [];
      const paths = readPaths(start + openingText.length);
      const removesTree =
        paths &&
        RECURSIVE_OPTION.test(
          code.slice(start + openingText.length + paths.end, start + openingText.length + paths.end + 60),
        );
      if (paths) commands.push(formatRemoval(removesTree ? "rm -rf" : removal, paths.words));
    }
  commands.push(...findPathMethodCalls(code, readPaths));
  for (const [, name = "", file, , tree] of code.matchAll(VARIABLE_METHOD_CALL).take(MAX_CALLS)) {
    const word = names.get(name);
    if (word !== undefined) commands.push(formatRemoval(tree ? "rm -rf" : file ? "rm -f" : "rmdir", [word]));
  }
  return commands;
}

/** Finds method calls that delete the file of a path object or write to it, such as `Path("x").unlink()`. */
function findPathMethodCalls(code: string, readPaths: ExpressionReader): string[] {
  const commands: string[] = [];
  for (const { 0: name, index } of code.matchAll(PATH_CONSTRUCTOR).take(MAX_CALLS)) {
    const start = index + name.length;
    const path = readPaths(start);
    const method = path && matchAt(REMOVAL_METHOD, code, start + path.end);
    if (path && method?.[4]) commands.push(`: > ${path.words.join(" ")}`);
    else if (method) commands.push(formatRemoval(method[3] ? "rm -rf" : method[2] ? "rmdir" : "rm -f", path.words));
  }
  return commands;
}

/** Call to a method that removes the path in a variable. */
const VARIABLE_METHOD_CALL =
  /(?<![\w$.])(\$?[A-Za-z_]\w{0,40})\s{0,3}\.\s{0,3}(?:(unlink|delete|remove)|(rmdir)|(rmtree|deleteDir|deleteRecursively|delete_tree))\s{0,3}\(/g;

/** Formats a removal as a shell command: `find … -delete` if a wildcard selects the files. */
function formatRemoval(removal: string, words: readonly string[]): string {
  const [word = "", ...otherWords] = words;
  const slash = word.lastIndexOf("/");
  const pattern = word.slice(slash + 1);
  const removesMatches = removal === "rm -f" && otherWords.length === 0 && slash >= 0 && /[*?]/.test(pattern);
  return removesMatches && !/['"\s]/.test(pattern)
    ? `find ${word.slice(0, slash) || "/"} -name '${pattern}' -delete`
    : `${removal} -- ${words.join(" ")}`;
}
