import { type Command, listProgramNames } from "bridge-hooks";

/** Splits a command that Bash would reject into parts without parsing it, because another shell might accept it. */
export function splitUnparsedLine(line: string): Command[] {
  const parts = new Set(line.split(/[;|&\n(){}]+/));
  if (parts.size > MAX_PARTS)
    throw new Error(
      `the shell command has too many parts to check (${parts.size}, limit ${MAX_PARTS}); split it into several calls`,
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
