/** How code in another language, a query or a document begins, in its first row that is no comment; made where it is needed. */
const beginnings = (): readonly RegExp[] => [
  /^(?:import|from|class|def|package|public|private|using|namespace|tell) [^;&|\n]*(?:;\s*)?$/i,
  /^(?:return (?!\d)|throw |await |async )/i,
  /^(?:const|let|var|local) [\w{[][^=\n]{0,200}[ \w}\]]= /i,
  /^export (?:default|const|class|function|async|\{|\*)/i,
  /^(?:async )?function(?:\*? ?\w*)? ?\((?! *\))/i,
  /^(?:if|for|while|switch|with|try)\b.*[{:]\s*$/i,
  /^\(?(?:async )?(?:\([^()\n]{0,200}\)|[\w$]+) ?=>/i,
  /^\((?:async )?function\b/i,
  // A call, and not a shell's function.
  /^[\w$.]+\((?!\s*\)\s*\{)/i,
  /^[\w$.[\]"']+ [:+]?= (?![~/-])/i,
  /^(?:<[!?]|<[a-z][\w-]*(?: [\w-]+=|\/?>)|:[%\w])/i,
  /^[{[]\s*["{}[\]]/i,
  /^(?:select\b(?! \w+ in\b)|insert into|delete from|explain|with \w+ as|merge into|pragma|match \()/i,
  /^(?:update [\w."]+ set|(?:create|drop|alter|truncate) (?:or|table|index|view|database|schema|unique|temp|function|user|role|type))/i,
];
/** Whether a row is one that only a shell reads so: a word with an option or a path behind it. */
const hasCommandRow = (text: string) =>
  /(?:^|[;{}|&(])[ \t]*(?!(?:return|case|yield|throw|typeof|await|const|let|var|new|else|import|from|and|or|not|in|where|set)\b)[\w~.][\w./~-]*[ \t]+(?:-{1,2}[A-Za-z]|~|\.{1,2}\/|\/\w|\.\w)/m.test(
    text,
  );

/** Whether a text is plainly none that a shell is given. */
export function isForeign(text: string): boolean {
  const [shebang] = /^#![^\n]*/.exec(text) ?? [];
  if (shebang !== undefined) return !/sh\b/.test(shebang);
  const code = text.replace(/^\s*(?:(?:\/\/|#|--|\/?\*)[^\n]*(?:\n|$)\s*)+/, "").trimStart();
  const [row = ""] = code.split("\n", 1);
  // A command of a database is in capitals: `HGETALL user:1`.
  const isOther = /^[A-Z][A-Z.]+(?: |$)/.test(row) || beginnings().some((beginning) => beginning.test(row));
  return isOther && !hasCommandRow(code);
}
