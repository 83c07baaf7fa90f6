/**
 * Returns patterns for the first non-comment line of a query, a document or code in another language. Created on
 * demand.
 */
const listForeignCodePatterns = (): readonly RegExp[] => [
  /^(?:import|from|class|def|package|public|private|using|namespace|tell) [^;&|\n]*(?:;\s*)?$/i,
  /^(?:return (?!\d)|throw |await |async )/i,
  /^(?:const|let|var|local) [\w{[][^=\n]{0,200}[ \w}\]]= /i,
  /^(?:export (?:default|const|class|function|async|var|let|type|\{|\*)|["']use \w+["'];?\s*$)/i,
  /^(?:async )?function(?:\*? ?\w*)? ?\((?! *\))/i,
  /^(?:if|for|while|switch|with|try)\b(?!.*; ?(?:do|then)\b).*[{:]\s*$/i,
  /^\(?(?:async )?(?:\([^()\n]{0,200}\)|[\w$]+) ?=>/i,
  /^\((?:async )?function\b/i,
  // A function call, not a shell function definition.
  /^[\w$.]+\((?!\s*\)\s*\{)/i,
  /^[\w$.[\]"']+ [:+]?= (?![~/-])/i,
  /^(?:<[!?]|<[a-z][\w-]*(?: [\w-]+=|\/?>)|:[%\w])/i,
  /^\{\s*(?:"[^"]*"\s*:|[{}[\]])/i,
  // A list, not a shell test: `[ "$a" = b ] && c`.
  /^\[(?!\[? .* \]{1,2}\s*(?:&&|\|\||;))\s*["{}[\]]/i,
  /^(?:select\b(?! \w+ in\b)|insert into|delete from|explain|with \w+ as|merge into|pragma|match \()/i,
  /^(?:update [\w."]+ set|(?:create|drop|alter|truncate) (?:or|table|index|view|database|schema|unique|temp|function|user|role|type))/i,
];

/** Returns whether a line has a form that only shells accept: a word followed by an option or a path. */
const isShellCommandLine = (row: string) =>
  /(?:^[ \t]*["']{0,3}|[;{}|&][ \t]*["']{0,3}|\([ \t]*)(?!(?:return|case|yield|throw|typeof|await|const|let|var|new|else|import|from|and|or|not|in|where|set)\b)[\w~.][\w./~"'-]*[ \t]+(?:-{1,2}[A-Za-z]|~|\.{1,2}\/|\/\w|\.\w)/.test(
    row,
  );

function stripLeadingComments(text: string, limit = 8): string {
  const code = text.trimStart().replace(/^(?:(?:\/\/|#|--|\/?\*)[^\n]*(?:\n|$)\s*)+/, "");
  const [quote] = /^(?:"""|''')/.exec(code) ?? [];
  const end = quote === undefined ? -1 : code.indexOf(quote, quote.length);
  // If text directly follows the closing quotes, this isn't a comment: a shell reads both as the same word.
  return end < 0 || limit === 0 || !/[\s#]/.test(code[end + 3] ?? "")
    ? code
    : stripLeadingComments(code.slice(end + 3), limit - 1);
}

function isForeignCode(text: string): boolean {
  const [shebang] = /^#![^\n]*/.exec(text) ?? [];
  if (shebang !== undefined && !/sh\b/.test(shebang)) return true;
  // The opening brace of a shell function can be on the next line.
  const code = stripLeadingComments(text).replace(/^([\w-]+ ?\(\))[ \t]*\n[ \t]*\{/, "$1 {");
  const [row = ""] = code.split("\n", 1);
  // A line that starts with an uppercase word is a database command: `HGETALL user:1`.
  return /^[A-Z][A-Z.]+(?: |$)/.test(row) || listForeignCodePatterns().some((beginning) => beginning.test(row));
}

/**
 * Returns the part of a text that a shell could run. If the text is clearly in another language, returns only the lines
 * that look like shell commands, which are rare in such code. Otherwise, returns the whole text.
 */
export const extractShellText = (text: string): string =>
  isForeignCode(text) ? text.split("\n").filter(isShellCommandLine).join("\n") : text;
