import { type Command, listPipeSources } from "bridge-hooks";

/** Programs that print what they fetch from the network. */
export const DOWNLOADERS =
  "curl wget fetch aria2c axel http https xh lynx iwr irm invoke-webrequest invoke-restmethod nc ncat netcat socat telnet".split(
    " ",
  );
/** Programs that turn letters back into the bytes that they stand for. */
export const DECODERS = "base64 gbase64 base32 basenc xxd openssl uudecode".split(" ");

/** Programs that print their arguments and read nothing. */
const READS_NOTHING = /^(echo|printf|true|date|pwd|ls|uname|cd)$/;
/** Commands are asked at most so many others, whose output goes through pipes to them. */
const MAX_SOURCES = 64;
const SHOWN = 60;

export const getPlainName = ({ program }: Command) => program.toLowerCase().replace(/\.exe$/, "");
export const isDownload = (command: Command) => DOWNLOADERS.includes(getPlainName(command));

function isDecoder(command: Command): boolean {
  const name = getPlainName(command);
  if (!DECODERS.includes(name)) return false;
  const wanted = name === "xxd" ? /^-\w*r|^--?revert/ : /^-\w*[dD]|^--d/;
  return name === "uudecode" || command.args.some((arg) => wanted.test(arg));
}

export const describeCommand = ({ words }: Command): string => {
  const text = words.join(" ").replace(/\s+/g, " ");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};

/** What finds a command of a kind; the words without which a text has none of them. */
export interface CommandKind {
  words: readonly string[];
  isSuch: (command: Command) => boolean;
}
export const DOWNLOAD: CommandKind = { words: DOWNLOADERS, isSuch: isDownload };
export const DECODER: CommandKind = { words: DECODERS, isSuch: isDecoder };

export const mentionsKind = (text: string, { words }: CommandKind) => {
  const plain = text.toLowerCase();
  return words.some((word) => plain.includes(word));
};

/** The first command that is such of those whose output a command reads through pipes, the nearest first. */
export function findSource(command: Command, isSuch: (source: Command) => boolean): Command | undefined {
  const read = new Set<Command>();
  const left = [...listPipeSources(command)];
  for (let source = left.shift(); source && read.size < MAX_SOURCES; source = left.shift()) {
    if (read.has(source)) continue;
    read.add(source);
    if (isSuch(source)) return source;
    if (!READS_NOTHING.test(source.program) && source.stdin === undefined) left.push(...listPipeSources(source));
  }
  return undefined;
}
