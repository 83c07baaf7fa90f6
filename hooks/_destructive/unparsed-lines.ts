import { type Command, listProgramNames } from "bridge-hooks";

/** The commands of a line that bash would not take, cut up without regard to its syntax: another shell may run them. */
export function splitUnparsedLine(line: string): Command[] {
  const parts = new Set(line.split(/[;|&\n(){}]+/));
  if (parts.size > MAX_PARTS)
    throw new Error(
      `the shell line has too many commands to be looked at (${parts.size}; at most ${MAX_PARTS}); split it up`,
    );
  return [...parts].flatMap((part) => {
    const [program = "", ...args] = part
      .replace(/['"]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    const words = [program, ...args];
    return program
      ? [
          {
            program: listProgramNames(program)[0] ?? "",
            args,
            words,
            redirects: [],
            env: {},
            dynamic: {},
            cwd: "",
            via: [],
            patched: [],
          },
        ]
      : [];
  });
}
const MAX_PARTS = 2_000;
