/**
 * Commands connected by pipes, as they appear in the shell command, except that the contents of `$(…)` are left out.
 */
export interface Pipeline {
  stages: string[];
  /** How deeply the pipeline is nested in substitutions and groups. */
  depth: number;
}

/** What the scanner is in: a substitution, a group, or a double-quoted string. */
interface Scope {
  isQuoted: boolean;
  pipeline: Pipeline;
}

const MAX_NESTED_STRINGS = 20;

/**
 * Splits a shell command into pipelines in one pass. If a quoted string contains a pipe, it is split like a nested
 * command: `sh -c 'a | b'`. This isn't a full parser, but good enough to tell which command reads another command's
 * output.
 */
export function splitPipelines(line: string): Pipeline[] {
  const pipelines: Pipeline[] = [];
  const nestedLines: string[] = [line];
  for (let count = 0; count < Math.min(nestedLines.length, MAX_NESTED_STRINGS); count++)
    nestedLines.push(...scanLine(nestedLines[count] as string, count === 0 ? 0 : 1, pipelines));
  return pipelines;
}

/** Scanner state. */
interface PipelineScan {
  line: string;
  pipelines: Pipeline[];
  scopes: Scope[];
  /** Where the current double-quoted string begins. */
  from: number;
  /** Quoted strings that contain a pipe. */
  texts: string[];
}

function scanLine(line: string, depth: number, pipelines: Pipeline[]): string[] {
  const scan: PipelineScan = { line, pipelines, scopes: [], from: 0, texts: [] };
  openScope(scan, depth);
  for (let at = 0; at < line.length; at++)
    at = scanQuote(scan, at) ?? scanSubstitution(scan, at) ?? scanSeparator(scan, at);
  return scan.texts;
}

function openPipeline({ pipelines }: PipelineScan, depth: number): Pipeline {
  const pipeline = { stages: [""], depth };
  pipelines.push(pipeline);
  return pipeline;
}

const openScope = (scan: PipelineScan, depth: number): void =>
  void scan.scopes.push({ isQuoted: false, pipeline: openPipeline(scan, depth) });

const getScope = ({ scopes }: PipelineScan): Scope => scopes.at(-1) as Scope;

function appendLiteral(scan: PipelineScan, text: string): void {
  const { stages } = getScope(scan).pipeline;
  stages[stages.length - 1] += text;
}

/**
 * Scans an escape, a single-quoted string, or a double quote.
 * @returns the index of its last character; undefined for any other character
 */
function scanQuote(scan: PipelineScan, at: number): number | undefined {
  const { line, scopes, texts } = scan;
  const { isQuoted, pipeline } = getScope(scan);
  const character = line[at];
  if (character === "\\") {
    appendLiteral(scan, line.slice(at, at + 2));
    return at + 1;
  }
  if (character === "'" && !isQuoted) {
    const end = line.indexOf("'", at + 1);
    const text = line.slice(at, end < 0 ? undefined : end + 1);
    appendLiteral(scan, text);
    if (text.includes("|")) texts.push(text.slice(1, -1));
    return at + text.length - 1;
  }
  if (character !== '"') return undefined;
  appendLiteral(scan, character);
  if (isQuoted) {
    scopes.pop();
    const text = line.slice(scan.from, at);
    if (text.includes("|") && !text.includes("$(")) texts.push(text);
  } else {
    scan.from = at + 1;
    scopes.push({ isQuoted: true, pipeline });
  }
  return at;
}

/**
 * Scans the start or end of a substitution or group.
 * @returns the index of its last character; undefined for any other character
 */
function scanSubstitution(scan: PipelineScan, at: number): number | undefined {
  const { line, scopes } = scan;
  const { isQuoted, pipeline } = getScope(scan);
  const character = line[at];
  const isDollar = character === "$" && line[at + 1] === "(";
  if (isDollar || (character === "(" && !isQuoted)) {
    appendLiteral(scan, " ");
    openScope(scan, pipeline.depth + 1);
    return isDollar ? at + 1 : at;
  }
  if (character === "`") {
    if (scopes.length > 1 && !isQuoted) scopes.pop();
    else openScope(scan, pipeline.depth + 1);
    return at;
  }
  if (character !== ")" || isQuoted || scopes.length === 1) return undefined;
  scopes.pop();
  return at;
}

/**
 * Scans a separator or an ordinary character.
 * @returns the index of its last character
 */
function scanSeparator(scan: PipelineScan, at: number): number {
  const { line } = scan;
  const scope = getScope(scan);
  const character = line[at] as string;
  if (!scope.isQuoted) {
    if (character === "|" && line[at + 1] !== "|" && line[at - 1] !== ">") {
      scope.pipeline.stages.push("");
      return at;
    }
    if (/[;\n|]/.test(character) || (character === "&" && !isRedirection(line, at))) {
      scope.pipeline = openPipeline(scan, scope.pipeline.depth);
      return character === "|" ? at + 1 : at;
    }
  }
  appendLiteral(scan, character);
  return at;
}

/** Whether an ampersand belongs to `2>&1`, `&>x`, or `|&`. */
const isRedirection = (line: string, at: number): boolean => /[<>|]/.test(line[at - 1] ?? "") || line[at + 1] === ">";

/** Splits a stage into words, without their quotes. */
export function splitPipelineStage(stage: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < stage.length; at++) {
    const character = stage[at] as string;
    if (quote !== "'" && character === "\\") word = (word ?? "") + (quote ? character : "") + (stage[++at] ?? "");
    else if (character === quote) quote = "";
    else if (quote === "" && /["']/.test(character)) [quote, word] = [character, word ?? ""];
    else if (quote === "" && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  return word === undefined ? words : [...words, word];
}

/** Replaces each outermost `$(…)` with whatever the callback returns. */
export function replaceSubstitutions(
  text: string,
  replace: (innerText: string, substitution: string) => string,
): string {
  let replacedText = "";
  let from = 0;
  for (let start = text.indexOf("$("); start >= 0; start = text.indexOf("$(", from)) {
    const end = findSubstitutionEnd(text, start + 2);
    if (end === undefined) break;
    replacedText += text.slice(from, start) + replace(text.slice(start + 2, end), text.slice(start, end + 1));
    from = end + 1;
  }
  return replacedText + text.slice(from);
}

function findSubstitutionEnd(text: string, from: number): number | undefined {
  const scopes: ("(" | '"')[] = ["("];
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    const isQuoted = scopes.at(-1) === '"';
    if (character === "\\") at++;
    else if (character === "'" && !isQuoted) {
      at = text.indexOf("'", at + 1);
      if (at < 0) return undefined;
    } else if (character === '"') {
      if (isQuoted) scopes.pop();
      else scopes.push('"');
    } else if (character === "(" && (!isQuoted || text[at - 1] === "$")) scopes.push("(");
    else if (character === ")" && !isQuoted && (scopes.pop(), scopes.length === 0)) return at;
  }
  return undefined;
}
