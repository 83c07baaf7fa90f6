import { type Command, listPipeSources } from "bridge-hooks";

/** Programs that print data from the network. */
export const DOWNLOADERS =
  "curl wget fetch aria2c axel http https xh lynx iwr irm invoke-webrequest invoke-restmethod nc ncat netcat socat telnet".split(
    " ",
  );
/** Programs that decode base64 and similar encodings. */
export const DECODERS = "base64 gbase64 base32 basenc xxd openssl uudecode".split(" ");

/** Programs that produce output without reading stdin. */
const STDIN_IGNORING_PROGRAM = /^(echo|printf|true|date|pwd|ls|uname|cd)$/;
/** Maximum number of upstream commands to check in a pipeline. */
const MAX_SOURCES = 64;
const MAX_SHOWN_LENGTH = 60;

export const getPlainName = ({ program }: Command) => program.toLowerCase().replace(/\.exe$/, "");
export const isDownload = (command: Command) => DOWNLOADERS.includes(getPlainName(command));

function isDecoder(command: Command): boolean {
  const name = getPlainName(command);
  if (!DECODERS.includes(name)) return false;
  const decodeOption = name === "xxd" ? /^-\w*r|^--?revert/ : /^-\w*[dD]|^--d/;
  return name === "uudecode" || command.args.some((arg) => decodeOption.test(arg));
}

export const describeCommand = ({ words }: Command): string => {
  const text = words.join(" ").replace(/\s+/g, " ");
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
};

/** A kind of command. Every command of this kind contains at least one of the words. */
export interface CommandKind {
  words: readonly string[];
  predicate: (command: Command) => boolean;
}
export const DOWNLOAD: CommandKind = { words: DOWNLOADERS, predicate: isDownload };
export const DECODER: CommandKind = { words: DECODERS, predicate: isDecoder };

export const mentionsCommandKind = (text: string, { words }: CommandKind) => {
  const lowerText = text.toLowerCase();
  return words.some((word) => lowerText.includes(word));
};

/** Returns the nearest upstream command of the given kind in a pipeline. */
export function findSource(command: Command, predicate: (source: Command) => boolean): Command | undefined {
  const visitedCommands = new Set<Command>();
  const pending = [...listPipeSources(command)];
  for (let source = pending.shift(); source && visitedCommands.size < MAX_SOURCES; source = pending.shift()) {
    if (visitedCommands.has(source)) continue;
    visitedCommands.add(source);
    if (predicate(source)) return source;
    if (!STDIN_IGNORING_PROGRAM.test(source.program) && source.stdin === undefined)
      pending.push(...listPipeSources(source));
  }
  return undefined;
}
