import { relative } from "node:path";

/** A problem in a source file. Lines and columns start at 1. */
export interface SourceProblem {
  file: string;
  line: number;
  column: number;
  message: string;
  /** Set for a problem that doesn't fail the build. */
  level?: "note";
  /**
   * Set for a problem in a field that determines the handler's event type, because it can make type errors in the file
   * misleading.
   */
  hidesTypes?: true;
  /** First line of the enclosing function, where type checkers report missing return values. */
  functionLine?: number;
}

/** Problems in hook modules. The message has one line per problem, formatted like compiler output. */
export class SourceProblemsError extends Error {
  readonly count: number;

  /** @param stage "export" if the problems concern a module's exports, so its source can still be checked */
  constructor(
    readonly problems: readonly SourceProblem[],
    readonly stage: "source" | "export" = "source",
  ) {
    super(formatSourceProblems(problems));
    this.count = problems.length;
  }
}

/** Formats problems, one per line, sorted by file and position. */
export const formatSourceProblems = (problems: readonly SourceProblem[]): string =>
  problems.toSorted(compareLocations).map(formatSourceProblem).join("\n");

const compareLocations = (a: SourceProblem, b: SourceProblem) =>
  a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;

/**
 * Formats a problem as `hooks/a.ts:3:14: error: …`; files outside the working directory appear with their full path.
 */
function formatSourceProblem({ file, line, column, message, level }: SourceProblem): string {
  const path = relative(process.cwd(), file);
  return `${path.startsWith("..") ? file : path}:${line}:${column}: ${level ?? "error"}: ${message.trim().replace(/\s*\n\s*/g, " ")}`;
}

export function getPosition(text: string, offset: number): Pick<SourceProblem, "line" | "column"> {
  const linesBefore = text.slice(0, offset).split("\n");
  return { line: linesBefore.length, column: (linesBefore.at(-1) as string).length + 1 };
}

const TOKEN = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Finds the position to report in a hook's source. If the value is a string, searches for it, starting at the field's
 * name if the source contains that name. Falls back to the field's name, and then to the hook itself.
 */
export function findPosition(source: string, field?: string, value?: unknown): Pick<SourceProblem, "line" | "column"> {
  const text = source.replace(TOKEN, (token) => (token.startsWith("/") ? token.replace(/[^\n]/g, " ") : token));
  const locateMatch = (pattern: RegExp, startOffset = 0) => {
    const at = text.slice(startOffset).search(pattern);
    return at < 0 ? undefined : startOffset + at;
  };
  const hook = locateMatch(/\bexport\s+default\b/) ?? 0;
  const object = locateMatch(/\b(?:defineHook|fromCommand)\s*(?:<[^(]*>)?\(/) ?? hook;
  const name =
    field === undefined
      ? undefined
      : locateMatch(new RegExp(`(?<=[\\s{,])(["']?)${RegExp.escape(field)}\\1\\s*[:(,}]`), object);
  const valuePosition =
    typeof value === "string"
      ? locateMatch(new RegExp(`(["'\`])${RegExp.escape(value)}\\1`), name ?? object)
      : undefined;
  return getPosition(text, valuePosition ?? name ?? hook);
}
