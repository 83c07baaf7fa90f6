import { type Command, isInterpreter } from "bridge-hooks";
import { stringsIn } from "./strings.ts";

/** Programs that may be given code in the line, or in a here-document. */
const takesCode = (program: string) => isInterpreter(program) || /^(?:jq|[gmn]?awk)$/.test(program);
/** Those whose plain strings may hold a variable. */
const FILLS_STRINGS = /^(?:perl|php)$/;

// Code is read by writing it shorter, until what is left tells: "§" is a secret, "¶" the whole environment, "_" anything else.

/** One variable of the environment. */
const READ =
  /(?<![\w$])(?:(?:process\.env|Bun\.env|\$ENV|(?<!\.)env)\.([A-Z_][A-Z0-9_]*)\b|(?:(?:process\.env|Bun\.env|(?:os\.)?environ|ENV|ENVIRON|\$_ENV|\$_SERVER)\[|(?:os\.)?(?:getenv|environ\.get|Deno\.env\.get|ENV\.fetch)\(|\$ENV\{)\s*["']?([A-Z_][A-Z0-9_]*)["']?\s*(?:[\]})]|,[^()\n]*\)?))/g;
/** One that a loop goes through. */
const LOOP = /\b(?:for|foreach|keys|each|map)\b[^;\n]{0,200}env/i;
const ANY = /(?<![\w$])(?:process\.env|(?:os\.)?environ|\$?ENV|ENVIRON)(?:\[\w+\]|\{\$\w+\})/g;
const ALL =
  /(?<![\w$]|(?<!\.\.)\.)(?:process\.env|Bun\.env|Deno\.env\.toObject\(\)|os\.environ|ENV|%ENV|\$_ENV|\$ENV|getenv\(\))(?:\.(?:items|values|copy|to_[ah]|inspect)\b(?:\(\))?)?(?![\w[{(]|\.(?!each|map)\w)/g;

/** Its names alone. */
const NAMES = /\b(?:sorted|list|set)\(os\.environ\)/g;

/** A string in which a secret is more than a word: `${§}`, `#{§}`, `\(§)`. */
const FILLED = /[{(][^{(})]*[§¶]/;

/** What gets a secret as its name, or each of them. */
const NAMED = [
  /\b(\w+)\s*=\s*§\s*(?=[;\n]|$)/g,
  /\w,\s*\$?(\w+)[\])|]*\s*(?:in|of|=\s*each)\s[^;:\n]{0,50}¶/g,
  /¶ as \$\w+\s*=>\s*\$(\w+)/g,
  /¶\)?\.(?:each|forEach|map)\w*\s*[({][\s([|]*\w+,\s*(\w+)/g,
];
const MOST_NAMES = 100;

/** What only asks whether it is there, how long it is, or what it is called. */
const ASKED =
  /(?:!|[!=]=|\b(?:not|if|unless|in|of|defined|length|typeof|keys))\s*[§¶]|[§¶]\s*(?:\?(?!\?)|[!=]==?(?:\s*§)?|is\b|&&|and\b|\.(?:to_s\.)?(?:length|size|nil\?|empty\?|keys|starts?_?with)\b|\|\s*(?:length|keys|has)\b)/gi;

/** A call without another one in it. */
const CALL = /(?<![\w.$])([\w.$]*)\(([^()]*)\)/g;
const SHOWS =
  /(?:^|_)(?:[fp]?(?:print|write|puts)|(?:log|pp?|echo|say|info|warn(?:ing)?|error|debug|dir|table|dump|inspect|exit|die)$)/i;
const lastOf = (name: string) => name.slice(name.lastIndexOf(".") + 1);
/** What it gives is as secret as what it gets. Of the environment as a whole, it is made to be sent. */
const PASSES_ON =
  /(?:^|\.)(?:|str|repr|string|bytes|dict|list|dumper|sorted|stringify|dumps|entries|values|map|from|\w*b64encode|btoa|format|join|quote)$/i;
const SENDS = /(?:^|\.)(?:stringify|dumps)$/;
const DEEPEST = 12;
/** The same without parentheses. */
const STATEMENT = /(?<![\w$])(?:puts|pp?|print\w*|echo|say|warn|die|abort)[ \t]+(?![=:.])[^;\n]{0,500}[§¶]/;

const hasSecret = (text: string) => /[§¶]/.test(text);

/** Code with the signs above for what it reads; strings that say nothing are gone. */
function signed(code: string, program: string, isSecret: (name: string) => boolean): string {
  const isLoop = LOOP.test(code);
  let text = code
    .replace(/[§¶]/g, " ")
    .replaceAll("?.", ".")
    .replace(READ, (_, dotted, named) => (isSecret(dotted ?? named) ? "§" : "_"))
    .replace(ANY, isLoop ? "§" : "_")
    .replace(NAMES, "_")
    .replace(program === "jq" ? /(?<![\w$.])env(?![\w.])/g : /$^/, "¶")
    .replace(ALL, "¶");
  const names = new Set(NAMED.flatMap((named) => [...text.matchAll(named)].map(([, name = ""]) => name)));
  for (const name of [...names].slice(0, MOST_NAMES))
    text = text.replace(new RegExp(`(?<![\\w.])\\$?${name}(?!\\w|\\s*(?::|=(?!=)))`, "g"), "§");
  const isFilled = (string: string) => FILLED.test(string) || (FILLS_STRINGS.test(program) && hasSecret(string));
  return withStrings(text, (string) => (isFilled(string) ? string : "_"));
}

/** A text with each of its strings replaced. */
function withStrings(text: string, replace: (string: string) => string): string {
  let given = "";
  let from = 0;
  for (const [start, end] of stringsIn(text)) {
    given += text.slice(from, start) + replace(text.slice(start, end));
    from = end;
  }
  return given + text.slice(from);
}

/** Whether a call in it shows a secret, or a statement; what is only used by another call is not shown. */
function shows(text: string): boolean {
  let rest = text;
  let shown = false;
  for (let before = "", depth = 0; before !== rest && !shown && depth < DEEPEST; depth++) {
    before = rest;
    rest = rest.replace(ASKED, "_").replace(CALL, (_, name: string, given: string) => {
      if (!hasSecret(given)) return "_";
      shown ||= SHOWS.test(lastOf(name)) || (given.includes("¶") && SENDS.test(name));
      return PASSES_ON.test(name) ? (given.includes("§") ? "§" : "¶") : "_";
    });
  }
  return shown || STATEMENT.test(rest);
}

/** What of the environment a program in another language shows, as a message names it. */
export function byCode({ program, args, redirects }: Command, isSecret: (name: string) => boolean): string | undefined {
  if (!takesCode(program)) return undefined;
  const printsResult =
    program === "jq" || (/^(?:node|bun|deno|tsx)$/.test(program) && args.some((arg) => /^(?:-pe?|--print)$/.test(arg)));
  for (const code of [...args, ...redirects.map(({ text }) => text ?? "")]) {
    const text = signed(code, program, isSecret);
    if (!hasSecret(text)) continue;
    const last = text.split(/[;\n]/).findLast((statement) => statement.trim() !== "");
    if (!shows(text) && !(printsResult && shows(`print(${last})`))) continue;
    const name = [...code.matchAll(READ)].map(([, dotted, named]) => dotted ?? named ?? "").find(isSecret);
    return `${name ?? "the environment"} in ${program}`;
  }
  return undefined;
}
