/** Placeholders for the values of options; the others are "VALUE". */
const VALUE_NAMES: Readonly<Record<string, string>> = {
  "--host": "ID",
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

/** Formats a command's help like that of the top level. clipanion's placeholder for an option's value is "#0". */
export function formatHelp(usage: string): string {
  const OPTION = /^  (-\S+)( #0)? +(.*)$/gm;
  const definition = (name: string, value?: string) =>
    value === undefined ? name : `${name} ${VALUE_NAMES[name] ?? "VALUE"}`;
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
