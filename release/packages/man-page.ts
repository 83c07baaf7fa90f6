import type { Release } from "../release.ts";
import type { CommandDescription } from "./command-line.ts";

/** Escapes text for roff: preserves hyphens and keeps lines from being parsed as requests. */
const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");

/** Formats the man page for section 1. */
export function formatManPage(
  { version, description, time }: Release,
  commands: readonly CommandDescription[],
): string {
  const day = new Date(time * 1000).toISOString().slice(0, 10);
  const chapters = commands.flatMap(({ path, summary, details, options, examples }) => [
    `.SS bridge\\-hooks ${escape(path.join(" "))}`,
    `${escape(summary)}.`,
    ...details.flatMap((text) => [".PP", escape(text)]),
    ...options.flatMap(({ names, takesValue, summary }) => [
      ".TP",
      `.B ${escape(names.join(", "))}${takesValue ? " \\fIVALUE\\fR" : ""}`,
      escape(summary),
    ]),
    ...examples.flatMap(([what, line]) => [
      ".PP",
      `${escape(what)}:`,
      ".PP",
      ".nf",
      `.RS\n${escape(line)}\n.RE`,
      ".fi",
    ]),
  ]);
  return `${[
    `.TH BRIDGE\\-HOOKS 1 "${day}" "bridge\\-hooks ${escape(version)}"`,
    ".SH NAME",
    `bridge\\-hooks \\- ${escape(description)}`,
    ".SH SYNOPSIS",
    ".B bridge\\-hooks\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
    ".PP",
    ".B bridge\\-hooks\n\\-\\-host \\fIID\\fR \\-\\-event \\fINAME\\fR \\-\\-on\\-error deny",
    ".SH DESCRIPTION",
    escape(
      "AI coding agents call it as their hook: it reads an event from stdin and answers on stdout, on stderr and with its exit code. Users run its commands.",
    ),
    ".SH COMMANDS",
    ...chapters,
    ".SH FILES",
    ".TP\n.I /etc/bridge\\-hooks/config.json\nThe config of the machine, which nobody but its administrator changes.",
    ".TP\n.I ~/.config/bridge\\-hooks/config.json\nYour own.",
    ".SH EXIT STATUS",
    "0: proceed. 2: block. 1: no decision was made, or the command failed.",
  ].join("\n")}\n`;
}
