import { relative } from "node:path";

/** What is wrong with a file, and where; lines and columns count from 1. */
export interface SourceProblem {
  file: string;
  line: number;
  column: number;
  message: string;
  /** It keeps nothing from being built. */
  level?: "note";
}

/** The hooks are not right. Its message has a line for each problem, as compilers write them. */
export class SourceProblemsError extends Error {
  readonly count: number;

  constructor(readonly problems: readonly SourceProblem[]) {
    super(formatSourceProblems(problems));
    this.count = problems.length;
  }
}

/** A line for each. */
export const formatSourceProblems = (problems: readonly SourceProblem[]): string =>
  problems.toSorted(comparePlaces).map(formatSourceProblem).join("\n");

const comparePlaces = (a: SourceProblem, b: SourceProblem) =>
  a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;

/** `hooks/a.ts:3:14: error: …`; a file that does not lie in the working directory by its whole path. */
function formatSourceProblem({ file, line, column, message, level }: SourceProblem): string {
  const path = relative(process.cwd(), file);
  return `${path.startsWith("..") ? file : path}:${line}:${column}: ${level ?? "error"}: ${message.trim().replace(/\s*\n\s*/g, " ")}`;
}

/** Where in a text an offset is. */
export function getPosition(text: string, offset: number): Pick<SourceProblem, "line" | "column"> {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

const TOKEN = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Where a hook's source says something: the value if that is a text and stands there (behind the field's name, if that does), else
 * the field's name, else the hook.
 */
export function findPosition(source: string, field?: string, value?: unknown): Pick<SourceProblem, "line" | "column"> {
  const text = source.replace(TOKEN, (token) => (token.startsWith("/") ? token.replace(/[^\n]/g, " ") : token));
  const found = (pattern: RegExp, from = 0) => {
    const at = text.slice(from).search(pattern);
    return at < 0 ? undefined : from + at;
  };
  const hook = found(/\bexport\s+default\b/) ?? 0;
  const object = found(/\b(?:defineHook|fromCommand)\s*(?:<[^(]*>)?\(/) ?? hook;
  const name =
    field === undefined
      ? undefined
      : found(new RegExp(`(?<=[\\s{,])(["']?)${RegExp.escape(field)}\\1\\s*[:(,}]`), object);
  const valuePosition =
    typeof value === "string" ? found(new RegExp(`(["'\`])${RegExp.escape(value)}\\1`), name ?? object) : undefined;
  return getPosition(text, valuePosition ?? name ?? hook);
}
