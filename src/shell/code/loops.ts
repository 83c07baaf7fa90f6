import { matchAt } from "../words/text.ts";

/** Loop header up to the iterated expression. Captures the loop variables. */
const LOOP_HEADER =
  /\bfor(?:each)?\s{0,9}\(?\s{0,9}(?:(?:const|let|var|my)\s{1,9})?(\$?[A-Za-z_]\w{0,40})(?:\s{0,9},\s{0,9}\w{1,40}){0,3}\s{1,9}(?:in|of)\s{1,9}|\bfor(?:each)?\s{0,9}(?:(?:my\s{1,9})?(\$\w{1,40})\s{0,9})?\(\s{0,9}(?=glob|<|")/g;
/**
 * Method that calls a function for each item, or PHP's `foreach`. Captures the name of the variable, which comes after
 * the list.
 */
const ITERATION_CALL =
  /\.(?:each|forEach|map|each_child)\b[\s({]{0,9}(?:do\s{0,3})?(?:async\s{1,3})?[|(]?\s{0,3}(\w{1,40})|\)\s{1,9}as\s{1,9}(?:\$\w{1,40}\s{0,3}=>\s{0,3})?(\$\w{1,40})/g;
/** Calls that list the names or paths in a directory. */
const DIRECTORY_LISTING_CALL =
  /(?:[\w$]{1,40}(?:\(["'][\w:/]{1,40}["']\))?\.){0,3}(?:listdir|readdirSync|readdir|children|entries)\s{0,3}\(/y;
const PATH_CONSTRUCTOR_CALL = /(?:\w{1,20}\.)?Path\s{0,3}\(/y;
const LISTING_METHOD = /\s{0,3}\)\s{0,3}\.\s{0,3}(?:iterdir\s{0,3}\(|r?glob\s{0,3}\(\s{0,3}["']([^"'\n]{1,100})["'])/y;
const WALK_CALL = /(?:\w{1,20}\.)?walk\s{0,3}\(/y;
const GLOB_LISTING = /Dir\[|Dir\.glob\s{0,3}\(|(?:\w{1,20}\.)?i?glob(?:Sync)?\s{0,3}[\s(]|</y;
/** Ruby methods that iterate over the names in a directory. */
const CHILDREN_ITERATION_METHOD =
  /\bDir\.(each_child|foreach|glob)\s{0,3}\(\s{0,3}["']([^"'()\n]{1,200})["']\s{0,3}\)\s{0,3}(?:\{|do)\s{0,3}\|\s{0,3}(\w{1,40})/g;
/** Start of a list that a method iterates over. */
const ITERATED_LIST =
  /(?<![\w.])(?:Dir\[|Dir\.\w{1,20}\s?\(|[\w$]{1,40}(?:\(["'][\w:/]{1,40}["']\))?\.readdirSync\s?\(|glob\s?\()/g;
const MAX_LOOPS = 50;
const MAX_LIST_LENGTH = 200;

/** The paths in an expression, as shell words, and the offset at which the expression ends. */
export interface PathExpression {
  words: string[];
  end: number;
}

/** Reads the expression at an offset. Returns undefined if the expression is not constant. */
export type ExpressionReader = (start: number) => PathExpression | undefined;

/** Returns shell words equivalent to the directory listing at an offset. */
function readListing(code: string, at: number, readExpression: ExpressionReader): string | undefined {
  if (matchAt(DIRECTORY_LISTING_CALL, code, at)) return "*";
  const walkEnd = matchAt(WALK_CALL, code, at);
  if (walkEnd) return readExpression(at + walkEnd[0].length)?.words[0];
  const path = matchAt(PATH_CONSTRUCTOR_CALL, code, at);
  if (path) {
    const start = at + path[0].length;
    const folder = readExpression(start);
    const method = folder && matchAt(LISTING_METHOD, code, start + folder.end);
    return method ? `${folder.words[0] ?? "."}/${/^[\w.*?-]+$/.test(method[1] ?? "") ? method[1] : "*"}` : undefined;
  }
  const globEnd = matchAt(GLOB_LISTING, code, at);
  if (globEnd) {
    const start = at + globEnd[0].length;
    return /^["']?([\w./*?~-]{1,200})["'>]/.exec(code.slice(start, start + MAX_LIST_LENGTH))?.[1];
  }
  const list = code[at] === "[" || code[at] === "(" ? readExpression(at + 1) : undefined;
  return list?.words.join(" ");
}

/** Lists the variables of loops over directories and path lists, each with equivalent shell words. */
export function listLoopVariables(code: string, readExpression: ExpressionReader): [name: string, words: string][] {
  const variables: [string, string][] = [];
  const addVariable = (name: string, at: number) => {
    const words = readListing(code, at, readExpression);
    if (words !== undefined) variables.push([name, words]);
  };
  for (const { 0: match, 1: name, 2: topic = "$_", index } of code.matchAll(LOOP_HEADER).take(MAX_LOOPS))
    addVariable(name ?? topic, index + match.length);
  for (const { 1: name, 2: loopVariable = "", index } of code.matchAll(ITERATION_CALL).take(MAX_LOOPS)) {
    const searchStart = Math.max(
      0,
      index - MAX_LIST_LENGTH,
      code.lastIndexOf(";", index),
      code.lastIndexOf("\n", index),
    );
    const start = [...code.slice(searchStart, index).matchAll(ITERATED_LIST)].at(-1);
    if (start) addVariable(name ?? loopVariable, searchStart + start.index);
  }
  for (const { 1: method, 2: pattern = "", 3: name = "" } of code.matchAll(CHILDREN_ITERATION_METHOD).take(MAX_LOOPS))
    variables.push([name, method === "glob" && /^[\w./*?~-]+$/.test(pattern) ? pattern : "*"]);
  // `os.walk` yields the directory and the names in it.
  if (variables.length > 0 && code.includes("walk"))
    for (const [, name = ""] of code.matchAll(/\bfor\s{1,9}(\w{1,40})\s{1,9}in\s{1,9}\w{1,40}\s{0,9}:/g))
      variables.push([name, "*"]);
  return variables;
}
