import { type Command, commandsIn, type EventOf, type Guarded } from "bridge-hooks";

const TYPING_PROGRAM = /^(?:tmux|byobu|screen|zellij|vim?|nvim|ex)$/;
/** The prefix that makes a terminal or editor command run a shell command. */
const RUN_COMMAND = /^:?(?:!|term(?:inal)?\s)\s{0,9}/;
/** Code that types into a terminal through ioctl. */
const TYPING_CODE = /\bTIOCSTI\b|\bioctl\b[^\n]{0,80}(?:0x5412|21522)/;
/** A string literal in code; an escaped quote doesn't open a string. */
const STRING_LITERAL = /\\[^]|(["'])((?:(?!\1)[^\\\n]|\\.){1,1000})\1/g;

/** Whether a string would turn hooks off if typed into a shell. If it can't be parsed, assume so. */
function wouldDisableHooks(text: string, guard: Guarded): boolean {
  const line = text.replaceAll("\\n", "\n").replace(RUN_COMMAND, "");
  if (!guard.mentionsHook(line)) return false;
  try {
    return guard.switchedOff(commandsIn(line)) !== undefined;
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    return true;
  }
}

/** Whether commands type something into a terminal that turns hooks off, even if it is typed in several pieces. */
export function typesDisablingCommand(all: readonly Command[], guard: Guarded): boolean {
  const typing = all.filter(({ program }) => TYPING_PROGRAM.test(program));
  const texts = typing.flatMap(({ args }) => args.filter((word, at) => !word.startsWith("-") && args[at - 1] !== "-t"));
  const typedWords = texts.filter((word) => !/^(?:send(?:-keys)?|set(?:b|-buffer))$/.test(word));
  const code = all.flatMap(({ args }) => args.filter((word) => TYPING_CODE.test(word)));
  const strings = code.flatMap((text) => [...text.matchAll(STRING_LITERAL)].map(([, , part = ""]) => part));
  return [...texts, typedWords.join(""), ...strings].some((text) => wouldDisableHooks(text, guard));
}

const TYPING_TOOL = /type|key|press|paste|input/i;

/** Whether a tool call types something that turns hooks off: `{"text": "bridge-hooks pause 10m\n"}`. */
export function typesDisablingInput(event: EventOf<"PreToolUse" | "PermissionRequest">, guard: Guarded): boolean {
  const tool = event.tool === "MCP" ? event.input.tool : event.tool === "Other" ? event.tool_name : undefined;
  if (tool === undefined || !TYPING_TOOL.test(tool)) return false;
  const input: unknown = event.tool === "MCP" ? event.input.arguments : event.input;
  return (
    typeof input === "object" &&
    input !== null &&
    Object.values(input).some((value) => typeof value === "string" && wouldDisableHooks(value, guard))
  );
}

/**
 * Whether a command runs the installer from a different URL or without signature verification. Either could replace the
 * executable.
 */
export function runsUncheckedInstaller({ words, args, env, program }: Command, line: string): boolean {
  if (!/^(?:ba|da|z|k)?sh$/.test(program)) return false;
  const isInstaller = args.some((word) => /(?:^|\/)install\.sh$/.test(word));
  const isPiped = !args.some((word) => !word.startsWith("-")) && /bridge-hooks/i.test(line);
  return (
    (isInstaller || isPiped) &&
    (words.includes("--no-signature") || "BRIDGE_HOOKS_URL" in env || /\bBRIDGE_HOOKS_URL=/.test(line))
  );
}
