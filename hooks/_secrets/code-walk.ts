import { type Frame, getHigherSecrecyLevel, SecrecyLevel, type Operand, type WalkState } from "./code-model.ts";
import type { Token } from "./code-tokens.ts";
import { bindAlias, bindLoop, bindParameter, bindTarget } from "./code-names.ts";
import { getCallLevel, getIndexLevel, getMemberLevel, getWordLevel } from "./code-levels.ts";
import * as words from "./code-words.ts";

const CLOSING_BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const getCloser = ({ opener }: Frame) => CLOSING_BRACKETS[opener] ?? opener;
const CONDITION_KEYWORD = /^(?:if|elsif|elif|unless|while|until)$/;

function openFrame(walk: WalkState, opener: string, at: number): void {
  const owner = isBracket(opener) ? walk.frames.at(-1)?.operand : undefined;
  const frame: Frame = {
    opener,
    at,
    owner,
    operand: undefined,
    level: SecrecyLevel.nothing,
    isPrinted: false,
    isReturned: false,
    assignedAt: undefined,
    assignedLevel: SecrecyLevel.nothing,
  };
  walk.frames.push(frame);
  updateOpenCount(walk, frame, 1);
}

function startStatement(frame: Frame): void {
  frame.isPrinted = false;
  frame.isReturned = false;
  frame.assignedAt = undefined;
  frame.assignedLevel = SecrecyLevel.nothing;
}

function updateOpenCount({ openCounts: open }: WalkState, frame: Frame, change: 1 | -1): void {
  open.set(getCloser(frame), (open.get(getCloser(frame)) ?? 0) + change);
}
const isBracket = (opener: string) => Object.hasOwn(CLOSING_BRACKETS, opener);

/** Walks the code once, collecting the variables that contain secrets. */
export function walkTokens(walk: WalkState): void {
  openFrame(walk, "", -1);
  for (let at = 0; at < walk.tokens.length; at++) readToken(walk, walk.tokens[at] as Token, at);
  while (walk.frames.length > 0) closeFrame(walk, walk.tokens.length);
}

function readToken(walk: WalkState, { kind, text }: Token, at: number): void {
  const frame = walk.frames.at(-1) as Frame;
  if (kind === "open") return openFrame(walk, text, at);
  if (kind === "end") return /^[{]?$/.test(frame.opener) ? endStatement(walk, frame, at) : undefined;
  if (kind === "sign") {
    if (text === ".") frame.operand ??= { level: SecrecyLevel.nothing, name: "", precedingIndex: at - 1 };
    else if (text === "=" && (!frame.owner || frame.opener !== "(" || CONDITION_KEYWORD.test(frame.owner.name)))
      frame.assignedAt = at;
    return;
  }
  if (kind === "word") readWord(walk, frame, text, at);
  else if (kind === "text") frame.operand = { level: SecrecyLevel.nothing, name: "", precedingIndex: at - 1 };
  else if (walk.openCounts.get(text)) {
    while (getCloser(walk.frames.at(-1) as Frame) !== text) closeFrame(walk, at);
    closeFrame(walk, at);
  }
  endOperand(walk, walk.frames.at(-1) as Frame, at);
}

function readWord(walk: WalkState, frame: Frame, text: string, at: number): void {
  const nextToken = walk.tokens[at + 1];
  const { operand } = frame;
  if (operand && walk.tokens[at - 1]?.text === ".") {
    operand.level = getMemberLevel(walk, operand, { text, isCalled: nextToken?.text === "(" });
    operand.name = text;
    if (operand.level >= SecrecyLevel.environment && words.ITERATION_FUNCTIONS.has(text.toLowerCase()))
      bindParameter(walk, at, operand.level);
    return;
  }
  if (text === "return") frame.isReturned = true;
  if (nextToken?.followsWhitespace && words.isPrintingStatement(text) && isOperandStart(nextToken))
    frame.isPrinted = true;
  frame.operand = { level: getWordLevel(walk, text, at), name: text, precedingIndex: at - 1 };
}

const isOperandStart = ({ kind, text }: Token): boolean =>
  kind === "text" || kind === "open" || (/^(?:word|sign)$/.test(kind) && !words.NON_OPERAND_TOKENS.has(text));

/** Whether the operand continues with a member, an index, or arguments. */
function isContinued({ tokens, program }: WalkState, { level, name }: Operand, at: number): boolean {
  const nextToken = tokens[at + 1];
  if (nextToken?.text === ".") return nextToken.kind === "sign";
  if (nextToken?.text === "|") return program === "jq" && tokens[at + 2]?.text === "." && nextToken.kind === "sign";
  if (nextToken?.kind !== "open") return false;
  if (nextToken.text === "(")
    return !nextToken.followsWhitespace || words.isPrintingFunction(name) || CONDITION_KEYWORD.test(name);
  return (
    !nextToken.followsWhitespace && (nextToken.text === "[" || (nextToken.text === "{" && level > SecrecyLevel.nothing))
  );
}

/** Completes an operand and records its secrecy level, unless the code only tests its value. */
function endOperand(walk: WalkState, frame: Frame, at: number): void {
  const { operand } = frame;
  if (!operand || isContinued(walk, operand, at)) return;
  frame.operand = undefined;
  if (operand.level === SecrecyLevel.nothing || isOnlyTested(walk, operand, at)) return;
  if (frame.isPrinted) walk.printsSecret = true;
  if (frame.assignedAt !== undefined) frame.assignedLevel = getHigherSecrecyLevel(frame.assignedLevel, operand.level);
  else if (frame.isReturned || !isFunctionOrLoopBody(walk, frame))
    frame.level = getHigherSecrecyLevel(frame.level, operand.level);
}

/** Whether a frame is the body of a function or loop. Only returned values count as the result of a body. */
const isFunctionOrLoopBody = ({ tokens }: WalkState, { opener, at, owner }: Frame): boolean =>
  opener === "{" && !owner && /^(?:=>|\))$/.test(tokens[at - 1]?.text ?? "");

function isOnlyTested(walk: WalkState, { level, precedingIndex }: Operand, at: number): boolean {
  const { tokens, program } = walk;
  const isSign = (index: number) => /^(?:sign|word)$/.test(tokens[index]?.kind ?? "");
  const getText = (index: number) => (isSign(index) ? (tokens[index]?.text ?? "") : "");
  let start = precedingIndex;
  while (/^[%@\\]$/.test(getText(start))) start--;
  if (words.PREFIX_TEST_OPERATORS.has(getText(start))) {
    if (getText(start) !== "keys") bindLoop(walk, getText(start) === "each" ? start - 1 : start, level);
    return true;
  }
  const nextText = getText(at + 1);
  if (nextText === "as") bindAlias(walk, at + 2, level);
  if (nextText === "|" && program === "jq") return words.TEST_METHODS.has(getText(at + 2));
  return words.POSTFIX_TEST_OPERATORS.has(nextText) && !(nextText === "=" && tokens[at + 2]?.kind === "close");
}

function endStatement(walk: WalkState, frame: Frame, at: number): void {
  if (frame.assignedAt !== undefined) bindTarget(walk, frame.assignedAt, frame.assignedLevel);
  if (frame.opener === "" && !/^(?:end)?$/.test(walk.tokens[at - 1]?.kind ?? "")) {
    walk.result = getHigherSecrecyLevel(frame.level, frame.assignedLevel);
    frame.level = SecrecyLevel.nothing;
  }
  startStatement(frame);
}

/** Closes the innermost frame and hands its result to the enclosing frame as an operand. */
function closeFrame(walk: WalkState, at: number): void {
  const frame = walk.frames.at(-1) as Frame;
  if (frame.opener !== "[") endStatement(walk, frame, at);
  walk.frames.pop();
  updateOpenCount(walk, frame, -1);
  const enclosingFrame = walk.frames.at(-1);
  if (!enclosingFrame) return;
  const { owner, opener, level } = frame;
  const precedingIndex = owner?.precedingIndex ?? frame.at - 1;
  if (!owner) enclosingFrame.operand = { level: getLiteralLevel(opener, level), name: "", precedingIndex };
  else if (opener === "(")
    enclosingFrame.operand = { level: getCallLevel(walk, frame, owner, at), name: "", precedingIndex };
  else enclosingFrame.operand = { level: getIndexLevel(walk, frame, owner, at), name: "", precedingIndex };
}

function getLiteralLevel(opener: string, level: SecrecyLevel): SecrecyLevel {
  if (opener === "(" || level === SecrecyLevel.nothing) return level;
  if (!isBracket(opener)) return SecrecyLevel.secret;
  return level === SecrecyLevel.secret ? SecrecyLevel.holder : level;
}
