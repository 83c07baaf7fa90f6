/**
 * Commands of which each reads what the one before it prints, as the line writes them, without what it puts in by
 * `$(…)`.
 */
export interface Pipeline {
  stages: string[];
  /** How many substitutions and groups it stands in. */
  depth: number;
}

/** Where a scan is: in a substitution or a group, or in a text in double quotes. */
interface Scope {
  isQuoted: boolean;
  pipeline: Pipeline;
}

const MAX_NESTED_TEXTS = 20;

/**
 * The pipelines of a shell line, read in one pass. Texts in quotes that hold a pipe count as lines of their own, `sh -c
 * 'a | b'`. It is enough to tell what reads a command's output, not to tell what a line does.
 */
export function splitPipelines(line: string): Pipeline[] {
  const found: Pipeline[] = [];
  const nested: string[] = [line];
  for (let count = 0; count < Math.min(nested.length, MAX_NESTED_TEXTS); count++)
    nested.push(...scanLine(nested[count] as string, count === 0 ? 0 : 1, found));
  return found;
}

function scanLine(line: string, depth: number, found: Pipeline[]): string[] {
  const texts: string[] = [];
  const open = (isQuoted: boolean, at: number): Scope => {
    const pipeline = { stages: [""], depth: at };
    found.push(pipeline);
    return { isQuoted, pipeline };
  };
  const scopes: Scope[] = [open(false, depth)];
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const scope = scopes.at(-1) as Scope;
    const { stages } = scope.pipeline;
    const add = (text: string) => void (stages[stages.length - 1] += text);
    const letter = line[at] as string;
    if (letter === "\\") add(line.slice(at, ++at + 1));
    else if (letter === "'" && !scope.isQuoted) {
      const end = line.indexOf("'", at + 1);
      const text = line.slice(at, end < 0 ? undefined : end + 1);
      add(text);
      if (text.includes("|")) texts.push(text.slice(1, -1));
      at += text.length - 1;
    } else if (letter === '"') {
      add(letter);
      if (scope.isQuoted) {
        scopes.pop();
        const text = line.slice(from, at);
        if (text.includes("|") && !text.includes("$(")) texts.push(text);
      } else {
        from = at + 1;
        scopes.push({ isQuoted: true, pipeline: scope.pipeline });
      }
    } else if ((letter === "$" && line[at + 1] === "(") || (letter === "(" && !scope.isQuoted)) {
      if (letter === "$") at++;
      add(" ");
      scopes.push(open(false, scope.pipeline.depth + 1));
    } else if (letter === "`") {
      if (scopes.length > 1 && !scope.isQuoted) scopes.pop();
      else scopes.push(open(false, scope.pipeline.depth + 1));
    } else if (scope.isQuoted) add(letter);
    else if (letter === ")" && scopes.length > 1) scopes.pop();
    else if (letter === "|" && line[at + 1] !== "|" && line[at - 1] !== ">") stages.push("");
    else if (/[;\n]/.test(letter) || (letter === "|" && ++at > 0) || (letter === "&" && !isRedirection(line, at)))
      scope.pipeline = open(false, scope.pipeline.depth).pipeline;
    else add(letter);
  }
  return texts;
}

/** Whether an ampersand is a part of `2>&1` and `&>x`, or of `|&`. */
const isRedirection = (line: string, at: number): boolean => /[<>|]/.test(line[at - 1] ?? "") || line[at + 1] === ">";

/** The words of a stage, without their quotes. */
export function splitStage(stage: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < stage.length; at++) {
    const letter = stage[at] as string;
    if (quote !== "'" && letter === "\\") word = (word ?? "") + (quote ? letter : "") + (stage[++at] ?? "");
    else if (letter === quote) quote = "";
    else if (quote === "" && /["']/.test(letter)) [quote, word] = [letter, word ?? ""];
    else if (quote === "" && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + letter;
  }
  return word === undefined ? words : [...words, word];
}

/** A text with each outermost `$(…)` replaced by what is made of the line in it. */
export function replaceSubstitutions(text: string, replace: (inside: string, whole: string) => string): string {
  let given = "";
  let from = 0;
  for (let start = text.indexOf("$("); start >= 0; start = text.indexOf("$(", from)) {
    const end = findSubstitutionEnd(text, start + 2);
    if (end === undefined) break;
    given += text.slice(from, start) + replace(text.slice(start + 2, end), text.slice(start, end + 1));
    from = end + 1;
  }
  return given + text.slice(from);
}

function findSubstitutionEnd(text: string, from: number): number | undefined {
  const scopes: ("(" | '"')[] = ["("];
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    const isQuoted = scopes.at(-1) === '"';
    if (letter === "\\") at++;
    else if (letter === "'" && !isQuoted) {
      at = text.indexOf("'", at + 1);
      if (at < 0) return undefined;
    } else if (letter === '"') {
      if (isQuoted) scopes.pop();
      else scopes.push('"');
    } else if (letter === "(" && (!isQuoted || text[at - 1] === "$")) scopes.push("(");
    else if (letter === ")" && !isQuoted && (scopes.pop(), scopes.length === 0)) return at;
  }
  return undefined;
}
