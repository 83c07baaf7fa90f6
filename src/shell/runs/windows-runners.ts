import { createNameTable } from "../words/name-table.ts";
import type { RunReader } from "./nested-run.ts";
import { CMD_RUN, joinArguments, stripOuterQuotes } from "../files/windows-arguments.ts";
import { toSlashes } from "./windows-programs.ts";
import { getTexts, joinTexts, type Word } from "../words/word.ts";

/** What PowerShell's options take, by their shortest unambiguous beginning; those without a value are not listed. */
const POWERSHELL_OPTIONS: readonly (readonly [option: RegExp, takes: "command" | "encoded" | "file" | "value"])[] = [
  [/^(?:c|co|com\w*|cwa)$/, "command"],
  [/^(?:ea|encodeda\w*)$/, "value"],
  [/^(?:e|ec|en\w*)$/, "encoded"],
  [/^f\w*$/, "file"],
  [/^(?:ex\w*|ep|w\w*|inp\w*|if|o\w*|v\w*|config\w*|cus\w*|se\w*|ps\w*)$/, "value"],
];
/** PowerShell takes one dash, two of them, a slash and typographic dashes. */
const POWERSHELL_SWITCH = /^(?:\/|[-\u2013-\u2015]{1,2})([A-Za-z]\w*)$/;

/** `powershell -Command rm x`, `pwsh -EncodedCommand …`, `… | powershell -` */
const powershell: RunReader = (args, scope, stdin, readCommand) => {
  const texts = getTexts(args);
  const read = (text: string) => scope.reader.readForeign("powershell", text, { ...scope, parameters: [] });
  const isStdin = (text: string | undefined) => text === undefined || text === "-";
  let at = 0;
  for (; ; at++) {
    const name = POWERSHELL_SWITCH.exec(texts[at] ?? "")?.[1]?.toLowerCase();
    if (name === undefined) break;
    const takes = POWERSHELL_OPTIONS.find(([option]) => option.test(name))?.[1];
    const rest = texts.slice(at + 1);
    if (takes === "command") return isStdin(rest[0]) ? read(stdin ?? "") : read(rest.join(" "));
    if (takes === "encoded" && rest[0] !== undefined) return read(decodeWideBase64(rest[0]));
    if (takes === "file") return isStdin(rest[0]) ? read(stdin ?? "") : readCommand(args.slice(at + 1), scope, stdin);
    if (takes !== undefined) at++;
  }
  // Without an option, it is a command for Windows PowerShell, and a file for the newer one.
  if (isStdin(texts[at])) read(stdin ?? "");
  else read(texts.slice(at).join(" "));
};

/** The text of `-EncodedCommand`: base64 of UTF-16. */
function decodeWideBase64(text: string): string {
  try {
    return Buffer.from(atob(text.replace(/\s+/g, "")), "latin1").toString("utf16le");
  } catch {
    return "";
  }
}

/** A word as cmd.exe would have it: what a variable of the outer shell holds, its own of that name does. */
const toCmdText = ({ text, dynamic }: Word): string =>
  dynamic === undefined || !/\$\w/.test(dynamic)
    ? text
    : dynamic.replace(
        /\\([^])|\$(\w+)/g,
        (_, quoted: string | undefined, name = "") => quoted ?? `%${name === "HOME" ? "USERPROFILE" : name}%`,
      );

/** `cmd /c del x`, and `cmd //c …` in Git Bash. */
const cmd: RunReader = (args, scope, stdin) => {
  const texts = args.map(toCmdText);
  const at = texts.findIndex((text) => CMD_RUN.test(text));
  if (at < 0) {
    if (stdin !== undefined && texts.every((text) => text.startsWith("/")))
      scope.reader.readForeign("cmd", stdin, scope);
    return;
  }
  const glued = (texts[at] as string).replace(CMD_RUN, "");
  const words = [...(glued === "" ? [] : [glued]), ...texts.slice(at + 1)];
  const line = words.length === 1 ? (words[0] as string) : stripOuterQuotes(joinArguments(words));
  scope.reader.readForeign("cmd", line, scope);
};

/** The text behind a switch of a program of Windows, `/tr TEXT`. */
const getSwitchText = (args: readonly Word[], name: string): string | undefined =>
  args[args.findIndex(({ text }) => text.toLowerCase() === name) + 1 || args.length]?.text;

/** `wmic process call create TEXT` */
const wmic: RunReader = (args, scope) => {
  const at = args.findIndex(({ text }) => text.toLowerCase() === "create");
  const [text] = at > 0 ? getTexts(args.slice(at + 1)) : [];
  if (text !== undefined) scope.reader.readForeign("cmd", text.replace(/^"|"$/g, ""), scope);
};

/** `schtasks /create /tr TEXT` runs it later. */
const schtasks: RunReader = (args, scope) => {
  const text = getSwitchText(args, "/tr");
  if (text !== undefined) scope.reader.readForeign("cmd", text, { ...scope, cwd: undefined });
};

/** `forfiles /p FOLDER /m *.x /c "cmd /c del @path"` */
const forfiles: RunReader = (args, scope, _, readCommand) => {
  const text = getSwitchText(args, "/c");
  if (text === undefined) return;
  const [folder, name] = [getSwitchText(args, "/p") ?? ".", getSwitchText(args, "/m") ?? "*"];
  const { commands } = scope.reader;
  const first = commands.length;
  scope.reader.readForeign(
    "cmd",
    text.replace(/@(?:path|relpath|file|fname)\b/gi, () => `${folder}/${name}`),
    scope,
  );
  const has = (switchName: string) => args.some((word) => word.text.toLowerCase() === switchName);
  // What deletes each file that it finds deletes them all.
  if (!has("/s") || !commands.slice(first).some(({ program }) => program === "rm")) return;
  const tests = ["-name", name, ...(has("/d") ? ["-mtime", "+1"] : []), "-delete"];
  readCommand([{ text: "find" }, toSlashes({ text: folder }), ...tests.map((one) => ({ text: one }))], scope);
};

/** `runas /user:x TEXT`, `conhost TEXT` */
const runText: RunReader = (args, scope) => {
  const at = args.findIndex(({ text }) => !text.startsWith("/"));
  if (at >= 0) scope.reader.readForeign("cmd", joinTexts(args.slice(at)), scope);
};

/** `winrs -r:host TEXT`, `psexec \\host -u me TEXT`: the line of another machine. */
const runRemoteText: RunReader = (args, scope) => {
  const takesValue = (text: string | undefined) => /^[-/](?:[upwnrai]|remote|username|password)$/i.test(text ?? "");
  const at = args.findIndex(({ text }, index) => !/^(?:[-/]|\\\\)/.test(text) && !takesValue(args[index - 1]?.text));
  if (at >= 0) scope.reader.readForeign("cmd", joinTexts(args.slice(at)), { ...scope, remote: true, cwd: undefined });
};

/** `gsudo ri x`, `gsudo -u admin cmd /c del x`: its words are a line of the shell that it is called from. */
const gsudo: RunReader = (args, scope) => {
  const takesValue = (text: string | undefined) => /^(?:-u|--user|-i|--integrity|--loglevel)$/.test(text ?? "");
  const at = args.findIndex(({ text }, index) => !text.startsWith("-") && !takesValue(args[index - 1]?.text));
  if (at >= 0) scope.reader.readForeign("powershell", joinTexts(args.slice(at)), scope);
};

/** `wsl -d Debian rm x`, `wsl -e bash -c …`: the words are a command of the distribution's. */
const wsl: RunReader = (args, scope, stdin, readCommand) => {
  const texts = getTexts(args);
  let at = 0;
  let isExecuted = false;
  for (; texts[at]?.startsWith("-"); at++) {
    if (/^(?:--|-e|--exec)$/.test(texts[at] as string)) {
      isExecuted = texts[at] !== "--";
      at++;
      break;
    }
    if (/^(?:-d|--distribution|-u|--user|--cd|--distribution-id|--shell-type)$/.test(texts[at] as string)) at++;
    else if (!/^(?:--system|~)$/.test(texts[at] as string)) return;
  }
  const words = args.slice(texts[at] === "~" ? at + 1 : at);
  if (words.length > 0) {
    readCommand(words, scope, stdin);
    // Its shell expands what the line has in plain.
    if (!isExecuted && words.some(({ text, dynamic }) => dynamic === undefined && /[~$*]/.test(text)))
      scope.reader.readScript(joinTexts(words), scope);
  } else if (stdin !== undefined) scope.reader.readScript(stdin, { ...scope, stdin: undefined });
};

/** Readers of what the programs of Windows that start others run, by their names in lowercase. */
export const WINDOWS_RUNNERS = createNameTable<RunReader>({
  "powershell pwsh": powershell,
  cmd,
  wmic,
  schtasks,
  forfiles,
  "runas conhost": runText,
  "winrs psexec psexec64 paexec": runRemoteText,
  gsudo,
  wsl,
});
