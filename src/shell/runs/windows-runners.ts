import { createNameTable } from "../words/name-table.ts";
import type { RunReader } from "./nested-run.ts";
import { CMD_RUN_SWITCH, joinCmdArguments, stripOuterQuotes } from "../files/windows-arguments.ts";
import { useForwardSlashes } from "./windows-programs.ts";
import { getTexts, joinTexts, type Word } from "../words/word.ts";

/**
 * PowerShell's options, including abbreviations, with the kind of value each one takes. Options without a value are
 * left out.
 */
const POWERSHELL_OPTIONS: readonly (readonly [option: RegExp, takes: "command" | "encoded" | "file" | "value"])[] = [
  [/^(?:c|co|com\w*|cwa)$/, "command"],
  [/^(?:ea|encodeda\w*)$/, "value"],
  [/^(?:e|ec|en\w*)$/, "encoded"],
  [/^f\w*$/, "file"],
  [/^(?:ex\w*|ep|w\w*|inp\w*|if|o\w*|v\w*|config\w*|cus\w*|se\w*|ps\w*)$/, "value"],
];
/** A PowerShell option, which starts with one or two dashes (including typographic ones) or a slash. */
const POWERSHELL_SWITCH = /^(?:\/|[-\u2013-\u2015]{1,2})([A-Za-z]\w*)$/;

/** Reads the script in `powershell -Command rm x`, `pwsh -EncodedCommand …` and `… | powershell -`. */
const readPowerShell: RunReader = (args, scope, stdin, readCommand) => {
  const texts = getTexts(args);
  const readScript = (text: string) => scope.reader.readForeign("powershell", text, { ...scope, parameters: [] });
  const isStdin = (text: string | undefined) => text === undefined || text === "-";
  let at = 0;
  for (; ; at++) {
    const name = POWERSHELL_SWITCH.exec(texts[at] ?? "")?.[1]?.toLowerCase();
    if (name === undefined) break;
    const valueKind = POWERSHELL_OPTIONS.find(([option]) => option.test(name))?.[1];
    const scriptWords = texts.slice(at + 1);
    if (valueKind === "command")
      return isStdin(scriptWords[0]) ? readScript(stdin ?? "") : readScript(scriptWords.join(" "));
    if (valueKind === "encoded" && scriptWords[0] !== undefined) return readScript(decodeWideBase64(scriptWords[0]));
    if (valueKind === "file")
      return isStdin(scriptWords[0]) ? readScript(stdin ?? "") : readCommand(args.slice(at + 1), scope, stdin);
    if (valueKind !== undefined) at++;
  }
  // Without an option, the first argument is a command in Windows PowerShell and a file in PowerShell 7.
  if (isStdin(texts[at])) readScript(stdin ?? "");
  else readScript(texts.slice(at).join(" "));
};

/** Decodes the value of `-EncodedCommand`: base64 of UTF-16 text. */
function decodeWideBase64(text: string): string {
  try {
    return Buffer.from(atob(text.replace(/\s+/g, "")), "latin1").toString("utf16le");
  } catch {
    return "";
  }
}

/** Converts a word to cmd.exe syntax. The outer shell's variables become cmd.exe variables of the same name. */
const toCmdText = ({ text, dynamic }: Word): string =>
  dynamic === undefined || !/\$\w/.test(dynamic)
    ? text
    : dynamic.replace(
        /\\([^])|\$(\w+)/g,
        (_, quotedText: string | undefined, name = "") => quotedText ?? `%${name === "HOME" ? "USERPROFILE" : name}%`,
      );

/** Reads the command in `cmd /c del x`, written `cmd //c …` in Git Bash. */
const readCmd: RunReader = (args, scope, stdin) => {
  const texts = args.map(toCmdText);
  const at = texts.findIndex((text) => CMD_RUN_SWITCH.test(text));
  if (at < 0) {
    if (stdin !== undefined && texts.every((text) => text.startsWith("/")))
      scope.reader.readForeign("cmd", stdin, scope);
    return;
  }
  const attachedCommand = (texts[at] as string).replace(CMD_RUN_SWITCH, "");
  const words = [...(attachedCommand === "" ? [] : [attachedCommand]), ...texts.slice(at + 1)];
  const line = words.length === 1 ? (words[0] as string) : stripOuterQuotes(joinCmdArguments(words));
  scope.reader.readForeign("cmd", line, scope);
};

/** Returns the word after a Windows switch: SCRIPT in `/tr SCRIPT`. */
const getSwitchText = (args: readonly Word[], name: string): string | undefined =>
  args[args.findIndex(({ text }) => text.toLowerCase() === name) + 1 || args.length]?.text;

/** Reads the command in `wmic process call create COMMAND`. */
const readWmic: RunReader = (args, scope) => {
  const at = args.findIndex(({ text }) => text.toLowerCase() === "create");
  const [text] = at > 0 ? getTexts(args.slice(at + 1)) : [];
  if (text !== undefined) scope.reader.readForeign("cmd", text.replace(/^"|"$/g, ""), scope);
};

/** Reads the command in `schtasks /create /tr COMMAND`, which runs later. */
const readSchtasks: RunReader = (args, scope) => {
  const text = getSwitchText(args, "/tr");
  if (text !== undefined) scope.reader.readForeign("cmd", text, { ...scope, cwd: undefined });
};

/** Reads the command in `forfiles /p DIR /m *.x /c "cmd /c del @path"`. */
const readForfiles: RunReader = (args, scope, _, readCommand) => {
  const text = getSwitchText(args, "/c");
  if (text === undefined) return;
  const [folder, name] = [getSwitchText(args, "/p") ?? ".", getSwitchText(args, "/m") ?? "*"];
  const { commands } = scope.reader;
  const firstIndex = commands.length;
  scope.reader.readForeign(
    "cmd",
    text.replace(/@(?:path|relpath|file|fname)\b/gi, () => `${folder}/${name}`),
    scope,
  );
  const hasSwitch = (switchName: string) => args.some((word) => word.text.toLowerCase() === switchName);
  // If the command deletes each matching file, also read the loop as the equivalent `find … -delete`.
  if (!hasSwitch("/s") || !commands.slice(firstIndex).some(({ program }) => program === "rm")) return;
  const tests = ["-name", name, ...(hasSwitch("/d") ? ["-mtime", "+1"] : []), "-delete"];
  readCommand([{ text: "find" }, useForwardSlashes({ text: folder }), ...tests.map((test) => ({ text: test }))], scope);
};

/** Reads the command in `runas /user:x COMMAND` and `conhost COMMAND`. */
const readCommandText: RunReader = (args, scope) => {
  const at = args.findIndex(({ text }) => !text.startsWith("/"));
  if (at >= 0) scope.reader.readForeign("cmd", joinTexts(args.slice(at)), scope);
};

/** Reads the command in `winrs -r:host COMMAND` and `psexec \\host -u me COMMAND`, which runs on another machine. */
const readRemoteCommandText: RunReader = (args, scope) => {
  const takesValue = (text: string | undefined) => /^[-/](?:[upwnrai]|remote|username|password)$/i.test(text ?? "");
  const at = args.findIndex(({ text }, index) => !/^(?:[-/]|\\\\)/.test(text) && !takesValue(args[index - 1]?.text));
  if (at >= 0) scope.reader.readForeign("cmd", joinTexts(args.slice(at)), { ...scope, remote: true, cwd: undefined });
};

/**
 * Reads the command in `gsudo ri x` and `gsudo -u admin cmd /c del x`. gsudo passes its arguments to the shell it was
 * called from.
 */
const readGsudo: RunReader = (args, scope) => {
  const takesValue = (text: string | undefined) => /^(?:-u|--user|-i|--integrity|--loglevel)$/.test(text ?? "");
  const at = args.findIndex(({ text }, index) => !text.startsWith("-") && !takesValue(args[index - 1]?.text));
  if (at >= 0) scope.reader.readForeign("powershell", joinTexts(args.slice(at)), scope);
};

/** Reads the command in `wsl -d Debian rm x` and `wsl -e bash -c …`, which runs inside the Linux distribution. */
const readWsl: RunReader = (args, scope, stdin, readCommand) => {
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
    // The distribution's shell expands characters that the outer shell took literally.
    if (!isExecuted && words.some(({ text, dynamic }) => dynamic === undefined && /[~$*]/.test(text)))
      scope.reader.readScript(joinTexts(words), scope);
  } else if (stdin !== undefined) scope.reader.readScript(stdin, { ...scope, stdin: undefined });
};

/** Readers for Windows programs that run other programs, by lowercase name. */
export const WINDOWS_RUNNERS = createNameTable<RunReader>({
  "powershell pwsh": readPowerShell,
  cmd: readCmd,
  wmic: readWmic,
  schtasks: readSchtasks,
  forfiles: readForfiles,
  "runas conhost": readCommandText,
  "winrs psexec psexec64 paexec": readRemoteCommandText,
  gsudo: readGsudo,
  wsl: readWsl,
});
