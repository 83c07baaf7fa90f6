import ts from "typescript";
import { RESPONSE_FIELDS } from "../../../protocol/response.ts";

/** Fields that a plain object has as a response, and hardly otherwise. */
const TELLING_FIELDS = [
  "decision",
  "user_message",
  "modified_input",
  "additional_context",
  "modified_output",
  "session_env",
];

/** Where something is wrong with an answer, and what to do. */
export interface AnswerFault {
  node: ts.Node;
  message: string;
}

/** The name of what handlers return, in the declarations. */
export const RESPONSE = "IHookResponse";

/** What the checks ask about types. */
export interface AnswerTypes {
  checker: ts.TypeChecker;
  /** Whether a value is a response, a promise of one, or a list with one. */
  isAnswer: (type: ts.Type) => boolean;
  /** Whether an expression calls this export of `bridge-hooks`. */
  isCallOf: (node: ts.CallExpression, name: string) => boolean;
}

export function createAnswerTypes(checker: ts.TypeChecker): AnswerTypes {
  const isOwn = (symbol: ts.Symbol | undefined, name: string) =>
    symbol?.name === name && (symbol.declarations ?? []).some(isOwnDeclaration);
  const known = new Map<ts.Type, boolean>();
  const isAnswer = (type: ts.Type): boolean => {
    const found = known.get(type);
    if (found !== undefined) return found;
    // Types may contain themselves.
    known.set(type, false);
    const result = isAnswerType(type);
    known.set(type, result);
    return result;
  };
  const isAnswerType = (type: ts.Type): boolean => {
    if (type.isUnion()) return type.types.some(isAnswer);
    if ((type.flags & ts.TypeFlags.Object) === 0) return false;
    if (isOwn(type.symbol, RESPONSE)) return true;
    if (checker.isArrayLikeType(type)) return checker.getTypeArguments(type as ts.TypeReference).some(isAnswer);
    if (type.getProperty("then") === undefined) return type.getCallSignatures().length === 0 && hasAnswerFields(type);
    const awaited = checker.getAwaitedType(type);
    return awaited !== undefined && awaited !== type && isAnswer(awaited);
  };
  return {
    checker,
    isAnswer,
    isCallOf({ expression }, name) {
      const symbol = checker.getSymbolAtLocation(expression);
      return isOwn(symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol, name);
    },
  };
}

/** The declarations that authors get are the only ones in a module of this name. */
const isOwnDeclaration = (node: ts.Node): boolean =>
  ts.isModuleDeclaration(node)
    ? node.name.text === "bridge-hooks"
    : node.parent !== undefined && isOwnDeclaration(node.parent);

function hasAnswerFields(type: ts.Type): boolean {
  if (TELLING_FIELDS.every((name) => type.getProperty(name) === undefined)) return false;
  return type.getProperties().every(({ name }) => RESPONSE_FIELDS.has(name));
}

/** The types that an expression may have, without promises around them. */
export function listAwaitedTypes(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const awaited = (type.isUnion() ? type.types : [type]).map((one) => checker.getAwaitedType(one) ?? one);
  return awaited.flatMap((one) => (one.isUnion() ? one.types : [one]));
}

/** The expressions that a function returns, without those of functions in it. */
export function listReturned(declaration: ts.Node | undefined): ts.Expression[] {
  if (declaration === undefined || !ts.isFunctionLike(declaration) || !("body" in declaration)) return [];
  const { body } = declaration;
  if (body === undefined || !ts.isBlock(body)) return body ? [body] : [];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** A piece of source or a type, short enough for a message. */
export const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
