import type { Command, EventOf } from "bridge-hooks";

/** A line that starts with a command of this executable that changes the policy. */
const OWN_LINE =
  /(?:^|[\n;&|!]|\bterm(?:inal)?\s)\s{0,9}bridge-hooks(?:\.exe)?\s{0,9}(?:allow|pause|uninstall|install|update|export|config\s{0,9}(?:un)?set|log\s{0,9}delete)\b/;
const TYPING_PROGRAM = /^(?:tmux|byobu|screen|zellij|vim?|nvim|ex)$/;
/** Code that types into a terminal by itself. */
const TYPING_CODE = /\bTIOCSTI\b|\bioctl\b[^\n]{0,80}(?:0x5412|21522)/;
const OWN_COMMAND =
  /\bbridge-hooks(?:\.exe)?\s+(?:allow|pause|uninstall|install|update|export|config\s+(?:un)?set|log\s+delete)\b/;

/** Whether commands of a line type one of these commands into a terminal, in one text or in several. */
export function typesOwnCommand(all: readonly Command[]): boolean {
  const typing = all.filter(({ program }) => TYPING_PROGRAM.test(program));
  const texts = typing.flatMap(({ args }) => args.filter((word, at) => !word.startsWith("-") && args[at - 1] !== "-t"));
  const typed = texts.filter((word) => !/^(?:send(?:-keys)?|set(?:b|-buffer))$/.test(word));
  return (
    texts.some((text) => OWN_LINE.test(text)) ||
    OWN_LINE.test(typed.join("")) ||
    all.some(({ args }) => args.some((word) => TYPING_CODE.test(word) && OWN_COMMAND.test(word)))
  );
}

const TYPING_TOOL = /type|key|press|paste|input/i;

/** Whether a tool types one of these commands: `{"text": "bridge-hooks pause 10m\n"}`. */
export function isTypedByTool(event: EventOf<"PreToolUse" | "PermissionRequest">): boolean {
  const tool = event.tool === "MCP" ? event.input.tool : event.tool === "Other" ? event.tool_name : undefined;
  if (tool === undefined || !TYPING_TOOL.test(tool)) return false;
  const input: unknown = event.tool === "MCP" ? event.input.arguments : event.input;
  return (
    typeof input === "object" &&
    input !== null &&
    Object.values(input).some((value) => typeof value === "string" && OWN_LINE.test(value))
  );
}

/** Whether a command runs the installer from another place, or without its check: it would replace the executable. */
export function runsUncheckedInstaller({ words, args, env, program }: Command, line: string): boolean {
  if (!/^(?:ba|da|z|k)?sh$/.test(program)) return false;
  const isInstaller = args.some((word) => /(?:^|\/)install\.sh$/.test(word));
  const isPiped = !args.some((word) => !word.startsWith("-")) && /bridge-hooks/i.test(line);
  return (
    (isInstaller || isPiped) &&
    (words.includes("--no-signature") || "BRIDGE_HOOKS_URL" in env || /\bBRIDGE_HOOKS_URL=/.test(line))
  );
}
