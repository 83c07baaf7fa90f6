/** Calls that run programs or remove files. Code may use them under an alias. */
const DANGEROUS_CALLS =
  /^(?:system|popen|exec\w{0,8}|spawn\w{0,8}|shell_exec|passthru|run|call|check_call|check_output|getoutput|rm|rmSync|rmdir|rmdirSync|rmtree|unlink|unlinkSync|remove|removeSync|removedirs|rimraf|rm_rf|rm_r|emptyDir|emptyDirSync)$/;

/** Imported names with their modules: `from os import system as s`, `const {rmSync: x} = require("fs")`. */
const IMPORT_PATTERNS = [
  /\bfrom\s{1,9}(?<from>[\w.]{1,60})\s{1,9}import\s{1,9}(?<names>[\w ,()]{1,300})/g,
  /\bimport\s{0,9}\{(?<names>[^{}]{1,300})\}\s{0,9}from\s{0,9}["'](?<from>[^"'\n]{1,60})["']/g,
  /\{(?<names>[^{}]{1,300})\}\s{0,9}=\s{0,9}(?:await\s{1,9})?(?:require|import)\s{0,9}\(\s{0,9}["'](?<from>[^"'\n]{1,60})["']/g,
  /\bimport\s{0,9}\(\s{0,9}["'](?<from>[^"'\n]{1,60})["']\s{0,9}\)\s{0,9}\.then\([^{}]{0,20}\{(?<names>[^{}]{1,300})\}/g,
];
/** Assignment of a function to a variable: `x = shutil.rmtree`, `const x = require("fs").rmSync`. */
const FUNCTION_ASSIGNMENT =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,40})\s{0,3}=\s{0,3}(?:(?:require|__import__)\(["'][\w:/]{1,40}["']\)\.)?((?:[A-Za-z_$][\w$]{0,40}\.){0,3}[A-Za-z_]\w{0,40})(?=\s{0,9}(?:[;,)\n]|$))/g;
const CALL_NAME = /(?<![\w$.])([A-Za-z_$][\w$]{0,40})(?=\s{0,9}\()/g;
const GETATTR_CALL =
  /\bgetattr\s{0,9}\(\s{0,9}([\w.]{1,60}(?:\(["'][\w.]{0,60}["']\))?)\s{0,9},\s{0,9}["'](\w{1,40})["']\s{0,9}\)/g;

/** Word lists without quotes: `qw(rm -rf x)`, `%w[rm x]`. */
const UNQUOTED_WORD_LIST =
  /\*?(?:\bqw|%[wW])\s{0,3}(?:\(([^()]{0,500})\)|\[([^[\]]{0,500})\]|\{([^{}]{0,500})\}|\/((?:[^/\\]|\\[^]){0,500})\/|<([^<>]{0,500})>|\|([^|]{0,500})\|)/g;
/** Perl block that names the program to run: `exec { "rm" } …`. */
const EXEC_BLOCK = /\b(exec|system)\s{0,9}\{[^{}]{0,99}\}/g;
/** Perl glob expression: `</etc/*>`. */
const PERL_GLOB = /<([~/.][\w./~-]{0,200}[*?][\w./*?~-]{0,100})>/g;
/** Calls that split a command line into words. */
const SPLIT_CALL = /\b(?:shlex\.split|Shellwords\.(?:shell)?split)\s{0,3}\(/g;
const doubleQuote = (word: string) => `"${word.replace(/["\\]/g, "\\$&")}"`;

/** Returns the qualified name of an imported function, such as `fs.rm`. */
const getQualifiedName = (moduleName: string, name: string) =>
  /fs/.test(moduleName) ? `fs.${name}` : `${moduleName.replace(/^node:|\W/g, "")}.${name}`;

function listAliases(code: string): Map<string, string> {
  const originalNames = new Map<string, string>();
  for (const expression of IMPORT_PATTERNS)
    for (const { groups } of code.matchAll(expression)) {
      const { from = "", names = "" } = groups ?? {};
      for (const entry of names.split(/[,()]/)) {
        const [, name = "", alias = name] =
          /^\s*(\w+)(?:(?:\s+as\s+|\s*:\s*)([\w$]+))?\s*$/.exec(entry.slice(0, 99)) ?? [];
        if (DANGEROUS_CALLS.test(name)) originalNames.set(alias, getQualifiedName(from, name));
      }
    }
  for (const [, name = "", call = ""] of code.matchAll(FUNCTION_ASSIGNMENT))
    if (DANGEROUS_CALLS.test(call.slice(call.lastIndexOf(".") + 1))) originalNames.set(name, call);
  return originalNames;
}

/**
 * Rewrites code so that aliased calls use the original function names, and turns word lists into string lists: `r =
 * os.system; r("rm x")` becomes `os.system("rm x")`.
 */
export function resolveCodeNames(code: string): string {
  const normalizedCode = code
    .replace(GETATTR_CALL, "$1.$2")
    .replace(EXEC_BLOCK, "$1")
    .replace(SPLIT_CALL, "(")
    .replace(PERL_GLOB, 'glob "$1"')
    .replace(UNQUOTED_WORD_LIST, (_, ...lists: unknown[]) => {
      const text = lists.find((group) => typeof group === "string") as string;
      const words = text.replaceAll("\\/", "/").split(/\s+/);
      return `(${words
        .filter((word) => word !== "")
        .map(doubleQuote)
        .join(",")})`;
    });
  const originalNames = listAliases(normalizedCode);
  return originalNames.size === 0
    ? normalizedCode
    : normalizedCode.replace(CALL_NAME, (match, name: string) => originalNames.get(name) ?? match);
}
