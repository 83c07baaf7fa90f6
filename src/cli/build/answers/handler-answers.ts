import ts from "typescript";
import { findMisspelledName, suggestName } from "../../../protocol/name-suggestions.ts";
import { DECISIONS, RESPONSE_FIELDS } from "../../../protocol/response.ts";
import {
  type AnswerFault,
  type AnswerTypes,
  RESPONSE_TYPE,
  listAwaitedTypes,
  listReturnedExpressions,
  shortenSource,
} from "./answer-types.ts";

/**
 * Finds invalid handler responses in a module, and invalid patches passed to `modify`.
 * @param lostAnswers responses that aren't returned; a handler that loses one isn't reported again for returning
 * nothing
 */
export function findWrongAnswers(
  source: ts.SourceFile,
  types: AnswerTypes,
  lostAnswers: readonly AnswerFault[],
): AnswerFault[] {
  const faults: AnswerFault[] = [];
  const visit = (node: ts.Node): void => {
    if (isHandler(node)) {
      const isLosing = lostAnswers.some((lostAnswer) =>
        ts.findAncestor(lostAnswer.node, (ancestor) => ancestor === node),
      );
      faults.push(...findHandlerFaults(node, types).filter(({ isEmpty }) => !(isEmpty && isLosing)));
    }
    if (ts.isCallExpression(node) && types.isCallOf(node, "modify")) faults.push(...findPatchFaults(node, types));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

type HandlerNode = ts.MethodDeclaration | ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

/**
 * Whether a node is the `handler` of an object that also has an `event`. A misspelled `handler` counts if the object
 * has no correctly spelled one.
 */
function isHandler(node: ts.Node): node is HandlerNode {
  if (!(ts.isMethodDeclaration(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)))
    return false;
  const hasName = (property: ts.ObjectLiteralElementLike, name: string) =>
    property.name !== undefined &&
    (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) &&
    property.name.text === name;
  return (
    ts.isObjectLiteralExpression(node.parent) &&
    (hasName(node, "handler") ||
      (isTypo(node) && !node.parent.properties.some((property) => hasName(property, "handler")))) &&
    node.parent.properties.some((property) => hasName(property, "event"))
  );
}

const isTypo = ({ name }: HandlerNode): boolean =>
  ts.isIdentifier(name) && findMisspelledName(name.text, ["handler"]) !== undefined;

function findHandlerFaults(node: HandlerNode, types: AnswerTypes): AnswerFault[] {
  const { checker } = types;
  const handler = checker.getTypeAtLocation(ts.isPropertyAssignment(node) ? node.initializer : node.name);
  const signature = handler.getCallSignatures()[0];
  if (signature === undefined) return [];
  const result = signature.getReturnType();
  const isVoidResult = isTypeScript(node) && listAwaitedTypes(result, checker).some(isVoid);
  const missingReturn: AnswerFault = {
    node: node.name,
    isEmpty: true,
    message: "the handler returns nothing; return a response, or undefined for no opinion",
  };
  const returned = listReturnedExpressions(signature.declaration).map((at) => ({
    at,
    type: checker.getTypeAtLocation(at),
  }));
  const expected = { fields: listInputFields(node, checker), response: findResponseType(node, checker) };
  return [
    ...(isVoidResult ? [missingReturn] : []),
    ...(returned.length > 0 ? returned : [{ at: node.name, type: result }]).flatMap(({ at, type }) =>
      listAwaitedTypes(type, checker).flatMap((awaitedType) =>
        findResponseFaults(awaitedType, at, { ...types, ...expected }),
      ),
    ),
  ];
}

const isVoid = ({ flags }: ts.Type) => (flags & ts.TypeFlags.Void) !== 0;

/** Returns a handler's declared response type, or undefined if the object isn't passed to a typed function. */
function findResponseType(handler: HandlerNode, checker: ts.TypeChecker): ts.Type | undefined {
  const hook = checker.getContextualType(handler.parent as ts.ObjectLiteralExpression);
  const field = hook?.getProperty("handler");
  const type = field && checker.getTypeOfSymbolAtLocation(field, handler);
  const [signature] = type?.getCallSignatures() ?? [];
  return (
    signature &&
    listAwaitedTypes(signature.getReturnType(), checker).find(
      (awaitedType) => awaitedType.symbol?.name === RESPONSE_TYPE,
    )
  );
}

/**
 * Lists the fields allowed in a patch: the input fields of the event's tools. Returns undefined if one of the tools
 * accepts any field.
 */
function listInputFields(handler: HandlerNode, checker: ts.TypeChecker): Set<string> | undefined {
  const getField = (type: ts.Type | undefined, name: string) => {
    const field = type?.getProperty(name);
    return field && checker.getTypeOfSymbolAtLocation(field, handler);
  };
  const hook = checker.getContextualType(handler.parent as ts.ObjectLiteralExpression);
  const event = getField(hook, "handler")?.getCallSignatures()[0]?.getParameters()[0];
  const type = event && checker.getTypeOfSymbolAtLocation(event, handler);
  const tool = getField(type, "tool");
  const acceptsAnyField = (tool?.isUnion() ? tool.types : [tool]).some(
    (toolType) => toolType?.isStringLiteral() && toolType.value === "MCP",
  );
  const input = getField(type, "input");
  return input && !acceptsAnyField ? listFields(input, checker) : undefined;
}

/** Lists the fields of a type or of all members of a union. Returns undefined if the type allows any field. */
function listFields(type: ts.Type, checker: ts.TypeChecker): Set<string> | undefined {
  const members = type.isUnion() ? type.types : [type];
  const isOpen = members.some(
    (member) => (member.flags & ts.TypeFlags.Object) === 0 || checker.getIndexInfosOfType(member).length > 0,
  );
  return isOpen ? undefined : new Set(members.flatMap((member) => member.getProperties().map(({ name }) => name)));
}

/** The fields and the type allowed for a handler's response. */
interface ExpectedResponse extends AnswerTypes {
  fields: Set<string> | undefined;
  response: ts.Type | undefined;
}

const UNCHECKED_TYPES = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.Void;
const EMPTY_RESPONSE_TYPES = ts.TypeFlags.Undefined | ts.TypeFlags.Null;

function findResponseFaults(type: ts.Type, at: ts.Node, expected: ExpectedResponse): AnswerFault[] {
  const { checker } = expected;
  if (type.flags & (UNCHECKED_TYPES | EMPTY_RESPONSE_TYPES | ts.TypeFlags.TypeParameter)) return [];
  // A declared response type is already type-checked, and patches passed to `modify` are checked separately.
  if (type.symbol?.name === RESPONSE_TYPE) return [];
  if (isPlainObject(type, checker)) {
    const faults = type.getProperties().flatMap((property) => findFieldFaults(property, at, expected));
    return faults.length > 0 ? faults : findMissingDecision(type, at, checker);
  }
  const typeName = formatType(type, checker);
  return [
    { node: at, message: `a handler can't return ${typeName}; return a response such as deny("…"), or undefined` },
  ];
}

/** Fields that have no effect without a decision. */
const DECISION_FIELDS = ["reason", "rule", "subject", "mode"];

/** Reports a response that has a field requiring a decision, but no decision. */
function findMissingDecision(type: ts.Type, at: ts.Node, checker: ts.TypeChecker): AnswerFault[] {
  const has = (name: string) => {
    const property = type.getProperty(name);
    return (
      property !== undefined && (checker.getTypeOfSymbolAtLocation(property, at).flags & EMPTY_RESPONSE_TYPES) === 0
    );
  };
  const name = DECISION_FIELDS.find(has);
  if (name === undefined || has("decision") || has("modified_output")) return [];
  const { valueDeclaration: declared = at } = type.getProperty(name) as ts.Symbol;
  const node = declared.getSourceFile().isDeclarationFile ? at : declared;
  return [{ node, message: `"${name}" has no effect without a decision; add decision: "deny" or decision: "ask"` }];
}

/** Whether a type is a plain object, as opposed to a function, a list, a class instance or a library type. */
const isPlainObject = (type: ts.Type, checker: ts.TypeChecker) =>
  (type.flags & ts.TypeFlags.Object) !== 0 &&
  !checker.isArrayLikeType(type) &&
  type.getCallSignatures().length === 0 &&
  !type.isClass() &&
  !type.symbol?.declarations?.some((declaration) => declaration.getSourceFile().isDeclarationFile);

function formatType(type: ts.Type, checker: ts.TypeChecker): string {
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  return shortenSource(text.replace(/IHookResponse<Partial<\{[^{}]*\}>>/g, RESPONSE_TYPE));
}

function findFieldFaults(property: ts.Symbol, at: ts.Node, expected: ExpectedResponse): AnswerFault[] {
  const { name, valueDeclaration: declared = at } = property;
  const { checker, fields, response } = expected;
  const isForeign = declared.getSourceFile().isDeclarationFile;
  const node = isForeign ? at : declared;
  if (!RESPONSE_FIELDS.has(name))
    return [{ node, message: `a response has no field "${name}"${listKnown(name, RESPONSE_FIELDS)}` }];
  if (name === "decision" && ts.isPropertyAssignment(node)) {
    const faults = findDecisionFaults(node);
    if (faults.length > 0) return faults;
  }
  const type = checker.getTypeOfSymbolAtLocation(property, at);
  const field = response?.getProperty(name);
  const unknown = name === "modified_input" && fields && !isForeign ? findUnknownFields(type, fields, node) : [];
  if (unknown.length > 0 || field === undefined) return unknown;
  const expectedType = checker.getTypeOfSymbolAtLocation(field, at);
  if (checker.isTypeAssignableTo(type, expectedType)) return [];
  const [given, known] = [type, checker.getNonNullableType(expectedType)].map((valueType) =>
    formatType(valueType, checker),
  );
  return [{ node, message: `the response field "${name}" must be ${known}, not ${given}` }];
}

/** Finds invalid decision literals, which the type checker can't report in JavaScript. */
function findDecisionFaults({ initializer: value }: ts.PropertyAssignment): AnswerFault[] {
  if (!ts.isStringLiteralLike(value) || DECISIONS.includes(value.text)) return [];
  return [{ node: value, message: `unknown decision "${value.text}"; known: allow, deny, ask` }];
}

function findPatchFaults(call: ts.CallExpression, { checker }: AnswerTypes): AnswerFault[] {
  const [patch] = call.arguments;
  if (patch === undefined || call.typeArguments !== undefined) return [];
  const handler = ts.findAncestor(call, isHandler);
  const parameter = checker.getResolvedSignature(call)?.getParameters()[0];
  const allowed = parameter && checker.getApparentType(checker.getTypeOfSymbolAtLocation(parameter, call));
  const fields = (handler && listInputFields(handler, checker)) ?? (allowed && listFields(allowed, checker));
  return fields ? findUnknownFields(checker.getTypeAtLocation(patch), fields, patch) : [];
}

/** Finds unknown fields. In JavaScript, which can't mark a field as host-specific, only likely typos are reported. */
function findUnknownFields(type: ts.Type, fields: Set<string>, at: ts.Node): AnswerFault[] {
  const members = type.isUnion() ? type.types : [type];
  const properties = members.flatMap((member) => (member.flags & ts.TypeFlags.Object ? member.getProperties() : []));
  return properties.flatMap(({ name, valueDeclaration = at }): AnswerFault[] => {
    if (fields.has(name)) return [];
    const suggestion = suggestName(name, [...fields]);
    if (suggestion === "" && !isTypeScript(at)) return [];
    const fix =
      suggestion ||
      `; known: ${[...fields].join(", ")}; for a host's own field, write modify<Record<string, unknown>>(…)`;
    const node = valueDeclaration.getSourceFile().isDeclarationFile ? at : valueDeclaration;
    return [{ node, message: `the tool input has no field "${name}"${fix}` }];
  });
}

const isTypeScript = (node: ts.Node) => /\.[cm]?ts$/.test(node.getSourceFile().fileName);

const listKnown = (name: string, names: ReadonlySet<string>) =>
  suggestName(name, [...names]) || `; known: ${[...names].join(", ")}`;
