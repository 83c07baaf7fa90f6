import ts from "typescript";
import { type AnswerFault, type AnswerTypes, listReturnedExpressions, shortenSource } from "./answer-types.ts";

/** Finds responses that a module creates but doesn't return. */
export function findUnreturnedAnswers(source: ts.SourceFile, types: AnswerTypes): AnswerFault[] {
  const faults: AnswerFault[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node))
      for (const fault of findDiscardedResponses(node.expression, types)) faults.push(fault);
    else if (ts.isThrowStatement(node) && types.isAnswer(types.checker.getTypeAtLocation(node.expression)))
      faults.push({ node, message: "throwing a response makes the hook fail; return the response" });
    else if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) faults.push(...findIgnoredReturns(node, types));
    else if (isComma(node)) faults.push(...findDiscardedResponses(node.left, types));
    else if (ts.isVoidExpression(node) && !ts.isExpressionStatement(node.parent))
      faults.push(...findDiscardedResponses(node, types));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...faults, ...findUnreadVariables(source, types)];
}

const isComma = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken;

const isAssignment = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

/** Strips parentheses and type assertions from an expression. */
function unwrapExpression(node: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node);
  return isWrapper ? unwrapExpression(node.expression) : node;
}

/** Finds responses among the values that an expression discards. */
function findDiscardedResponses(expression: ts.Expression, types: AnswerTypes): AnswerFault[] {
  const node = unwrapExpression(expression);
  if (ts.isVoidExpression(node) || ts.isAwaitExpression(node)) return findDiscardedResponses(node.expression, types);
  if (ts.isConditionalExpression(node))
    return [...findDiscardedResponses(node.whenTrue, types), ...findDiscardedResponses(node.whenFalse, types)];
  // The left operand of a comma is visited separately.
  if (isComma(node)) return findDiscardedResponses(node.right, types);
  if (isAssignment(node)) return [];
  if (ts.isBinaryExpression(node)) {
    const right = findDiscardedResponses(node.right, types);
    return right.length > 0 ? right : findDiscardedResponses(node.left, types);
  }
  const { checker } = types;
  const type = checker.getTypeAtLocation(node);
  if (!types.isAnswer(type) || isListMethod(node, types)) return [];
  const by = ts.isCallExpression(node) ? ` of ${shortenSource(node.expression.getText())}(…)` : "";
  const isList = checker.isArrayLikeType(checker.getAwaitedType(type) ?? type);
  const message = isList
    ? `the responses${by} are not used, so they have no effect; return one of them`
    : `the response${by} is not returned, so it has no effect; ${isStatement(node) ? 'write "return" before it' : "return it"}`;
  return [{ node, message }];
}

const isStatement = ({ parent }: ts.Node) => ts.isExpressionStatement(parent);

/** Whether a call merely mutates a list of responses, such as `answers.sort()`. */
function isListMethod(node: ts.Expression, { checker, isAnswer }: AnswerTypes): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const list = checker.getTypeAtLocation(node.expression.expression);
  return checker.isArrayLikeType(list) && isAnswer(list);
}

/** Finds responses returned by callbacks of functions that ignore return values, such as `forEach`. */
function findIgnoredReturns(callback: ts.ArrowFunction | ts.FunctionExpression, types: AnswerTypes): AnswerFault[] {
  const signatures = types.checker.getContextualType(callback)?.getCallSignatures() ?? [];
  if (signatures.length === 0 || !signatures.every((signature) => signature.getReturnType().flags & ts.TypeFlags.Void))
    return [];
  const { parent } = callback;
  const caller = ts.isCallExpression(parent) ? shortenSource(parent.expression.getText()) : "its caller";
  const fix = caller.endsWith(".forEach") ? 'use a "for" loop, and return from it' : "return it from the handler";
  const message = `the response is returned to ${caller}, which ignores it; ${fix}`;
  // A response assigned to a variable, as in `(c) => (answer = deny("x"))`, isn't lost.
  return listReturnedExpressions(callback)
    .filter((node) => !isAssignment(unwrapExpression(node)) && types.isAnswer(types.checker.getTypeAtLocation(node)))
    .map((node) => ({ node, message }));
}

/** Finds variables that are assigned a response but never read. */
function findUnreadVariables(source: ts.SourceFile, types: AnswerTypes): AnswerFault[] {
  const answers = new Map<ts.Symbol, ts.Identifier>();
  const readSymbols = new Set<ts.Symbol>();
  const note = (name: ts.Node, value: ts.Node) => {
    const symbol = types.checker.getSymbolAtLocation(name);
    if (symbol && ts.isIdentifier(name) && types.isAnswer(types.checker.getTypeAtLocation(value)))
      answers.set(symbol, answers.get(symbol) ?? name);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && !isExported(node)) note(node.name, node.initializer);
    if (isAssignment(node) && isUnexportedVariable(node.left, types)) note(node.left, node.right);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const names = new Set([...answers.keys()].map(({ name }) => name));
  const visitNames = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.has(node.text) && isReadAccess(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? types.checker.getShorthandAssignmentValueSymbol(node.parent)
        : types.checker.getSymbolAtLocation(node);
      const target = symbol && ts.isExportSpecifier(node.parent) ? types.checker.getAliasedSymbol(symbol) : symbol;
      if (target) readSymbols.add(target);
    }
    ts.forEachChild(node, visitNames);
  };
  visitNames(source);
  return [...answers]
    .filter(([symbol]) => !readSymbols.has(symbol))
    .map(([{ name }, node]) => ({ node, message: `the response in "${name}" is never returned; return it` }));
}

const isExported = (node: ts.VariableDeclaration) =>
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;

/** Whether an assignment's target is an unexported variable of the module. */
function isUnexportedVariable(target: ts.Expression, { checker }: AnswerTypes): boolean {
  const declaration = ts.isIdentifier(target) && checker.getSymbolAtLocation(target)?.valueDeclaration;
  return declaration && ts.isVariableDeclaration(declaration) ? !isExported(declaration) : false;
}

/** Whether an identifier is read. Declaring it, assigning to it or assigning to one of its fields doesn't count. */
function isReadAccess(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) && parent.name === node) return false;
  const target = ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent : node;
  return !(
    isAssignment(target.parent) &&
    target.parent.left === target &&
    ts.isExpressionStatement(target.parent.parent)
  );
}
