/** Placeholders for the values of options; the others are "VALUE". */
const VALUE_NAMES: Readonly<Record<string, string>> = {
  "--host": "ID",
  "--since": "TIME",
  "--before": "DATE",
  "--rule": "ID",
  "--hook": "NAME",
  "--session": "ID",
  "--project": "DIR",
  "--from": "ID",
  "--event": "NAME",
  "--name": "NAME",
  "--policy-version": "VERSION",
  "--tool": "NAME",
  "--command": "LINE",
  "--path": "FILE",
  "--payload": "FILE",
  "--outfile": "FILE",
  "--prompt": "TEXT",
  "--input": "JSON",
  "--fields": "JSON",
  "--hooks": "DIR",
  "--root": "DIR",
  "--out": "DIR",
  "--bin": "PATH",
  "--copy-to": "DIR",
  "--key": "FILE",
  "--sums": "FILE",
  "--url": "URL",
  "--bin-path": "PATH",
  "--against": "PROGRAM",
  "--scope": "SCOPE",
  "--target": "TARGET",
  "--on-error": "allow|deny",
  "--timeout-ms": "MS",
};

/** Where an option takes something else. */
const COMMAND_VALUE_NAMES: Readonly<Record<string, string>> = { "log verify --against": "ANCHOR" };

/** Formats a command's help like that of the top level. clipanion's placeholder for an option's value is "#0". */
export function formatHelp(usage: string): string {
  const OPTION = /^  (-\S+)( #0)? +(.*)$/gm;
  const [, path = ""] = /^\$ bridge-hooks((?: [a-z]+)+)/m.exec(usage) ?? [];
  const definition = (name: string, value?: string) =>
    value === undefined
      ? name
      : `${name} ${COMMAND_VALUE_NAMES[`${path.trim()} ${name}`] ?? VALUE_NAMES[name] ?? "VALUE"}`;
  const width = Math.max(...[...usage.matchAll(OPTION)].map(([, name = "", value]) => definition(name, value).length));
  return (
    usage
      .replace(/^Usage\n\n(\$ bridge-hooks(?: [a-z]+)+)(.*)$/m, (_, command: string, rest: string) => {
        const options = usage.includes("\nOptions\n") ? " [OPTIONS]" : "";
        return `Usage: ${command}${options}${rest}`;
      })
      // All that takes any number of words takes files.
      .replace(/(?<=^Usage: .*) (?:<file> )?\.\.\.$/m, " FILE…")
      .replaceAll(
        OPTION,
        (_, name: string, value: string | undefined, what: string) =>
          `  ${definition(name, value).padEnd(width)}  ${what}`,
      )
      .replaceAll(/ +$/gm, "")
  );
}
