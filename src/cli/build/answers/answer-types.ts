import ts from "typescript";
import { RESPONSE_FIELDS } from "../../../protocol/response.ts";

/** Response fields that rarely occur in other objects. A plain object with one of these fields counts as a response. */
const RESPONSE_ONLY_FIELDS = [
  "decision",
  "user_message",
  "modified_input",
  "additional_context",
  "modified_output",
  "session_env",
];

/** A problem with a response, and how to fix it. */
export interface AnswerFault {
  node: ts.Node;
  message: string;
  /** Set if the problem is that a handler returns nothing. */
  isEmpty?: true;
}

/** The name of the response type in the declarations. */
export const RESPONSE_TYPE = "IHookResponse";

/** Type queries used by the checks. */
export interface AnswerTypes {
  checker: ts.TypeChecker;
  /** Whether a type is a response, a promise of a response, or a list of responses. */
  isAnswer: (type: ts.Type) => boolean;
  /** Whether an expression calls the given export of `bridge-hooks`. */
  isCallOf: (node: ts.CallExpression, name: string) => boolean;
}

export function createAnswerTypes(checker: ts.TypeChecker): AnswerTypes {
  const isOwn = (symbol: ts.Symbol | undefined, name: string) =>
    symbol?.name === name && (symbol.declarations ?? []).some(isOwnDeclaration);
  const cache = new Map<ts.Type, boolean>();
  const isAnswer = (type: ts.Type): boolean => {
    const cached = cache.get(type);
    if (cached !== undefined) return cached;
    // A recursive type refers to itself, so store a preliminary result first.
    cache.set(type, false);
    const result = isAnswerType(type);
    cache.set(type, result);
    return result;
  };
  const isAnswerType = (type: ts.Type): boolean => {
    if (type.isUnion()) return type.types.some(isAnswer);
    if ((type.flags & ts.TypeFlags.Object) === 0) return false;
    if (isOwn(type.symbol, RESPONSE_TYPE)) return true;
    if (checker.isArrayLikeType(type)) return checker.getTypeArguments(type as ts.TypeReference).some(isAnswer);
    if (type.getProperty("then") === undefined) return type.getCallSignatures().length === 0 && hasAnswerFields(type);
    const awaitedType = checker.getAwaitedType(type);
    return awaitedType !== undefined && awaitedType !== type && isAnswer(awaitedType);
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

/**
 * Whether a node is part of the `bridge-hooks` declarations, which are recognized by the module name alone because no
 * other module has it.
 */
const isOwnDeclaration = (node: ts.Node): boolean =>
  ts.isModuleDeclaration(node)
    ? node.name.text === "bridge-hooks"
    : node.parent !== undefined && isOwnDeclaration(node.parent);

function hasAnswerFields(type: ts.Type): boolean {
  if (RESPONSE_ONLY_FIELDS.every((name) => type.getProperty(name) === undefined)) return false;
  return type.getProperties().every(({ name }) => RESPONSE_FIELDS.has(name));
}

/** Lists the types that an expression can have once its promises are awaited. */
export function listAwaitedTypes(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const awaitedTypes = (type.isUnion() ? type.types : [type]).map((member) => checker.getAwaitedType(member) ?? member);
  return awaitedTypes.flatMap((member) => (member.isUnion() ? member.types : [member]));
}

/** Lists the expressions a function returns, ignoring nested functions. */
export function listReturnedExpressions(declaration: ts.Node | undefined): ts.Expression[] {
  if (declaration === undefined || !ts.isFunctionLike(declaration) || !("body" in declaration)) return [];
  const { body } = declaration;
  if (body === undefined || !ts.isBlock(body)) return body ? [body] : [];
  const expressions: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) expressions.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return expressions;
}

/** Shortens source code or a type for a message. */
export const shortenSource = (text: string): string => {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
