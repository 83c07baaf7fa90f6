import { type Command, isInterpreter } from "bridge-hooks";
import { findStrings } from "./strings.ts";

/** Programs that may be given code in the line, or in a here-document. */
const isCodeRunner = (program: string) => isInterpreter(program) || /^(?:jq|[gmn]?awk)$/.test(program);
/** Those whose plain strings may hold a variable. */
const FILLS_STRINGS = /^(?:perl|php)$/;

// Code is read by writing it shorter, until what is left tells: "§" is a secret, "¶" the whole environment, "_"
// anything else.

/** One variable of the environment. */
const ENV_READ =
  /(?<![\w$])(?:(?:process\.env|Bun\.env|\$ENV|(?<!\.)env)\.([A-Z_][A-Z0-9_]*)\b|(?:(?:process\.env|Bun\.env|(?:os\.)?environ|ENV|ENVIRON|\$_ENV|\$_SERVER)\[|(?:os\.)?(?:getenv|environ\.get|Deno\.env\.get|ENV\.fetch)\(|\$ENV\{)\s*["']?([A-Z_][A-Z0-9_]*)["']?\s*(?:[\]})]|,[^()\n]*\)?))/g;
/** One that a loop goes through. */
const ENV_LOOP = /\b(?:for|foreach|keys|each|map)\b[^;\n]{0,200}env/i;
const DYNAMIC_ENV_READ = /(?<![\w$])(?:process\.env|(?:os\.)?environ|\$?ENV|ENVIRON)(?:\[\w+\]|\{\$\w+\})/g;
const WHOLE_ENV =
  /(?<![\w$]|(?<!\.\.)\.)(?:process\.env|Bun\.env|Deno\.env\.toObject\(\)|os\.environ|ENV|%ENV|\$_ENV|\$ENV|getenv\(\))(?:\.(?:items|values|copy|to_[ah]|inspect)\b(?:\(\))?)?(?![\w[{(]|\.(?!each|map)\w)/g;

/** Its names alone. */
const ENV_NAMES = /\b(?:sorted|list|set)\(os\.environ\)/g;

/** A string in which a secret is more than a word: `${§}`, `#{§}`, `\(§)`. */
const SECRET_INTERPOLATION = /[{(][^{(})]*[§¶]/;

/** What gets a secret as its name, or each of them. */
const SECRET_ASSIGNMENTS = [
  /\b(\w+)\s*=\s*§\s*(?=[;\n]|$)/g,
  /\w,\s*\$?(\w+)[\])|]*\s*(?:in|of|=\s*each)\s[^;:\n]{0,50}¶/g,
  /¶ as \$\w+\s*=>\s*\$(\w+)/g,
  /¶\)?\.(?:each|forEach|map)\w*\s*[({][\s([|]*\w+,\s*(\w+)/g,
];
const MAX_NAMES = 100;

/** What only asks whether it is there, how long it is, or what it is called. */
const SECRET_TEST =
  /(?:!|[!=]=|\b(?:not|if|unless|in|of|defined|length|typeof|keys))\s*[§¶]|[§¶]\s*(?:\?(?!\?)|[!=]==?(?:\s*§)?|is\b|&&|and\b|\.(?:to_s\.)?(?:length|size|nil\?|empty\?|keys|starts?_?with)\b|\|\s*(?:length|keys|has)\b)/gi;

/** A call without another one in it. */
const INNERMOST_CALL = /(?<![\w.$])([\w.$]*)\(([^()]*)\)/g;
const SHOWING_FUNCTION =
  /(?:^|_)(?:[fp]?(?:print|write|puts)|(?:log|pp?|echo|say|info|warn(?:ing)?|error|debug|dir|table|dump|inspect|exit|die)$)/i;
const getLastName = (name: string) => name.slice(name.lastIndexOf(".") + 1);
/** What it gives is as secret as what it gets. Of the environment as a whole, it is made to be sent. */
const PASSING_FUNCTION =
  /(?:^|\.)(?:|str|repr|string|bytes|dict|list|dumper|sorted|stringify|dumps|entries|values|map|from|\w*b64encode|btoa|format|join|quote)$/i;
const SENDING_FUNCTION = /(?:^|\.)(?:stringify|dumps)$/;
const MAX_DEPTH = 12;
/** The same without parentheses. */
const SHOWING_STATEMENT = /(?<![\w$])(?:puts|pp?|print\w*|echo|say|warn|die|abort)[ \t]+(?![=:.])[^;\n]{0,500}[§¶]/;

const hasSecret = (text: string) => /[§¶]/.test(text);

/** Another name for the environment. */
const ENV_ALIAS = /\benviron as (\w+)|\b(\w+)\s*=\s*(?:(process\.env|Bun\.env)|(?:os\.)?environ)\s*(?=[;\n]|$)/g;
/** Variables of the environment by their names: `const { API_KEY: key } = process.env`. */
const ENV_PARTS = /\{([^{}]*)\}\s*=\s*(?:process|Bun)\.env\b/g;
const ENV_PART = /^\s*([A-Z_][A-Z0-9_]*)\s*(?::\s*(\w+)|$|=)/;

/** Code in which the environment has one name. */
function replaceAliases(code: string): string {
  let text = code;
  for (const [, imported, assigned = "", script] of [...code.matchAll(ENV_ALIAS)].slice(0, MAX_NAMES))
    text = text.replace(new RegExp(`(?<![\\w.$])${imported ?? assigned}(?=[.[(])`, "g"), script ?? "environ");
  return text;
}

/** The names of variables that get a secret of the environment. */
const listSecretParts = (code: string, isSecret: (name: string) => boolean): string[] =>
  [...code.matchAll(ENV_PARTS)].flatMap(([, parts = ""]) =>
    parts.split(",").flatMap((part) => {
      const [, variable = "", name = variable] = ENV_PART.exec(part) ?? [];
      return isSecret(variable) ? name : [];
    }),
  );

/** Code with the signs above for what it reads; strings that say nothing are gone. */
function markSecrets(code: string, program: string, isSecret: (name: string) => boolean): string {
  const isLoop = ENV_LOOP.test(code);
  let text = replaceAliases(code.replace(/[§¶]/g, " ").replaceAll("?.", "."))
    .replace(ENV_READ, (_, dotted, named) => (isSecret(dotted ?? named) ? "§" : "_"))
    .replace(DYNAMIC_ENV_READ, isLoop ? "§" : "_")
    .replace(ENV_NAMES, "_")
    .replace(/(?<![\w$.])env(?![\w.])/g, (word) => (program === "jq" ? "¶" : word))
    .replace(WHOLE_ENV, "¶");
  const names = new Set([
    ...SECRET_ASSIGNMENTS.flatMap((named) => [...text.matchAll(named)].map(([, name = ""]) => name)),
    ...listSecretParts(code, isSecret),
  ]);
  for (const name of [...names].slice(0, MAX_NAMES))
    text = text.replace(new RegExp(`(?<![\\w.])\\$?${name}(?!\\w|\\s*(?::|=(?!=)))`, "g"), "§");
  const isFilled = (string: string) =>
    SECRET_INTERPOLATION.test(string) || (FILLS_STRINGS.test(program) && hasSecret(string));
  return replaceStrings(text, (string) => (isFilled(string) ? string : "_"));
}

/** A text with each of its strings replaced. */
function replaceStrings(text: string, replace: (string: string) => string): string {
  let given = "";
  let from = 0;
  for (const [start, end] of findStrings(text)) {
    given += text.slice(from, start) + replace(text.slice(start, end));
    from = end;
  }
  return given + text.slice(from);
}

/** Whether a call in it shows a secret, or a statement; what is only used by another call is not shown. */
function isSecretShown(text: string): boolean {
  let rest = text;
  let shown = false;
  for (let before = "", depth = 0; before !== rest && !shown && depth < MAX_DEPTH; depth++) {
    before = rest;
    rest = rest.replace(SECRET_TEST, "_").replace(INNERMOST_CALL, (_, name: string, given: string) => {
      if (!hasSecret(given)) return "_";
      shown ||= SHOWING_FUNCTION.test(getLastName(name)) || (given.includes("¶") && SENDING_FUNCTION.test(name));
      return PASSING_FUNCTION.test(name) ? (given.includes("§") ? "§" : "¶") : "_";
    });
  }
  return shown || SHOWING_STATEMENT.test(rest);
}

/** What of the environment a program in another language shows, as a message names it. */
export function findSecretInCode(
  { program, args, redirects }: Command,
  isSecret: (name: string) => boolean,
): string | undefined {
  if (!isCodeRunner(program)) return undefined;
  const printsResult =
    program === "jq" || (/^(?:node|bun|deno|tsx)$/.test(program) && args.some((arg) => /^(?:-pe?|--print)$/.test(arg)));
  for (const code of [...args, ...redirects.map(({ text }) => text ?? "")]) {
    const text = markSecrets(code, program, isSecret);
    if (!hasSecret(text)) continue;
    const last = text.split(/[;\n]/).findLast((statement) => statement.trim() !== "");
    if (!isSecretShown(text) && !(printsResult && isSecretShown(`print(${last})`))) continue;
    const name = [...code.matchAll(ENV_READ)].map(([, dotted, named]) => dotted ?? named ?? "").find(isSecret);
    return `${name ?? "the environment"} in ${program}`;
  }
  return undefined;
}
