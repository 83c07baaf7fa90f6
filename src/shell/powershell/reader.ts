import { emitCommand } from "../emit.ts";
import { countSteps, checkScript } from "../parser.ts";
import { slicePipeSources } from "../runs/pipe-sources.ts";
import { getSharedResult, mergeBranches, readForEachChoice } from "../words/choices.ts";
import { assignVariable, createInnerScope, getVariableValues, type ShellScope } from "../scope.ts";
import type { PipelineFlow } from "./cmdlet-call.ts";
import { callFunction } from "./function-bodies.ts";
import { recordWrittenValues, readCommand, readRedirects } from "./commands.ts";
import { evaluateExpression } from "./evaluate.ts";
import { parsePowerShell } from "./parser.ts";
import { assignEnvironment, createCommand, createLineState, getLineState, tablesByValue } from "./state.ts";
import type { Control, Expression, PipelineElement, Script, Statement } from "./syntax.ts";
import { applyOperator } from "./operators.ts";
import {
  createUnknownValue,
  getKnownText,
  isKnown,
  joinText,
  joinTexts,
  type Text,
  type Value,
} from "./text-values.ts";
import { getValue, getVariableKey, listUsedVariables } from "./variables.ts";
import { createWord, toPlainWord } from "./words.ts";

export function readPowerShell(text: string, scope: ShellScope): void {
  const { reader } = scope;
  createLineState(scope, readScript);
  reader.scriptDepth++;
  checkScript(text, reader);
  const { script, problem } = parsePowerShell(text);
  if (problem !== undefined) reader.problem ??= problem;
  readScript(script, scope, true);
  for (const definition of getLineState(scope).functions.values())
    if (!definition.isCalled) callFunction(definition, undefined, definition.scope);
  reader.scriptDepth--;
}

function readScript(script: Script, scope: ShellScope, isShown: boolean): Value {
  const values: Text[] = [];
  let isCertain = true;
  for (const statement of script) {
    const value = readStatement(statement, scope, isShown);
    if (value) values.push(...value);
    else isCertain = false;
  }
  return isCertain ? values : undefined;
}

function readStatement(statement: Statement, scope: ShellScope, isShown: boolean): Value {
  countSteps(scope.reader);
  const readEachScope = (readScope: (at: ShellScope) => Value) =>
    getSharedResult(readForEachChoice(scope, () => listUsedVariables(statement), readScope));
  switch (statement.type) {
    case "pipeline":
      return readEachScope((at) => readPipeline(statement.elements, at, isShown).values);
    case "assignment":
      return readEachScope((at) => readAssignment(statement, at));
    case "control":
      return readControl(statement, scope, isShown);
    case "function": {
      const { name, definition } = statement;
      const at = createInnerScope(scope);
      getLineState(scope).functions.set(name, { definition, scope: at, isCalled: false, callDepth: 0 });
      return [];
    }
    case "parameters":
      // The script's parameters get their values from its caller.
      for (const { name, value } of statement.parameters) {
        if (value) readScript(value, scope, false);
        const key = getVariableKey(name);
        if (getVariableValues(scope, key) === undefined) assignVariable(scope, key, undefined);
      }
      return [];
  }
}

/** Maximum number of loop items to read one by one. A longer loop is read once. */
const MAX_ITERATIONS = 64;

/**
 * Reads the blocks after a keyword. Depending on the keyword, every block runs, at most one of them runs, or a block
 * runs once per loop item.
 */
function readControl(control: Control, scope: ShellScope, isShown: boolean): undefined {
  const { keyword, conditions, bodies, list, name = "" } = control;
  for (const condition of conditions) readScript(condition, scope, false);
  const isLoop = /^(?:while|for|do|foreach)$/.test(keyword);
  if (!isLoop && keyword !== "if" && keyword !== "switch") {
    for (const body of bodies) readScript(body, scope, isShown);
    return;
  }
  const items = list && readScript(list, scope, false);
  const iterationItems = items && items.length <= MAX_ITERATIONS ? items : [undefined];
  const iterations = isLoop
    ? iterationItems.map((item) => ({ body: bodies[0] ?? [], item }))
    : bodies.map((body) => ({ body }));
  const finalScopes = iterations.map(({ body, item }: { body: Script; item?: Text | undefined }) => {
    const at = createInnerScope(scope);
    if (name !== "") assignVariable(at, getVariableKey(name), item && [item]);
    readScript(body, at, isShown);
    return at;
  });
  mergeBranches(scope, finalScopes, isLoop || !control.isComplete ? "partial" : "complete");
}

function readAssignment(
  { target, operator, value }: Extract<Statement, { type: "assignment" }>,
  scope: ShellScope,
): Value {
  const { values: assignedValues, listing } =
    value.type === "pipeline"
      ? readPipeline(value.elements, scope, false)
      : { values: readStatement(value, scope, false) };
  let variable = target;
  while (variable.type === "cast") variable = variable.of;
  if (variable.type === "variable") {
    assignToVariable(variable.name, operator, assignedValues, scope);
    getLineState(scope).listings.set(getVariableKey(variable.name), listing);
  } else if (variable.type === "member" || variable.type === "index") assignTableEntry(variable, assignedValues, scope);
  else if (variable.type === "list")
    // In a multiple assignment, the last variable receives all remaining items.
    for (const [at, item] of variable.items.entries())
      if (item.type === "variable") {
        const end = at === variable.items.length - 1 ? undefined : at + 1;
        assignVariable(scope, getVariableKey(item.name), assignedValues?.slice(at, end));
      } else evaluateExpression(item, scope);
  else evaluateExpression(variable, scope);
  return [];
}

function assignToVariable(name: string, operator: string, value: Value, scope: ShellScope): void {
  const key = getVariableKey(name);
  const isSet = operator === "=" || operator === "??=";
  const combinedValue = operator === "+=" ? applyOperator("+", getValue(name, scope), value) : undefined;
  const assignedValue = isSet ? value : combinedValue;
  if (key.startsWith("alias:") && assignedValue?.[0])
    getLineState(scope).aliases.set(key.slice(6), joinText(assignedValue[0]));
  if (!key.startsWith("env:")) assignVariable(scope, key, assignedValue);
  else assignEnvironment(key.slice(4), assignedValue ? joinTexts(assignedValue, " ") : createUnknownValue(key), scope);
}

/** Sets a hashtable entry: `$x.Path = …`, `$x['Path'] = …`. */
function assignTableEntry(
  target: Extract<Expression, { type: "member" | "index" }>,
  value: Value,
  scope: ShellScope,
): void {
  const owner = evaluateExpression(target.of, scope);
  const name = getKnownText(evaluateExpression(target.type === "member" ? target.name : target.index, scope)?.[0]);
  const table = owner && tablesByValue.get(owner);
  if (!table || name === undefined || target.of.type !== "variable") return;
  const updatedValue = [...owner, ...(value ?? [])];
  tablesByValue.set(updatedValue, new Map([...table, [name, value]]));
  assignVariable(scope, getVariableKey(target.of.name), updatedValue);
}

function readPipeline(elements: readonly PipelineElement[], scope: ShellScope, isShown: boolean): PipelineFlow {
  let flow: PipelineFlow = { isPiped: false, values: undefined };
  const { sources } = scope;
  const { commands } = scope.reader;
  for (const [at, element] of elements.entries()) {
    const isLast = at === elements.length - 1;
    const firstIndex = commands.length;
    flow =
      element.type === "expression"
        ? readShown(element, scope, isLast ? isShown : at === 0)
        : readCommand(element, scope, flow);
    scope.sources = slicePipeSources(commands, firstIndex);
  }
  if (sources) scope.sources = sources;
  else delete scope.sources;
  return flow;
}

/** Reads an expression. Adds an `echo` command if the expression prints an unknown value. */
function readShown(
  { of, redirects }: Extract<PipelineElement, { type: "expression" }>,
  scope: ShellScope,
  isShown: boolean,
): PipelineFlow {
  const values = evaluateExpression(of, scope);
  const files = readRedirects(redirects, scope);
  recordWrittenValues(files, values, scope);
  const unknownTexts = values?.filter((text) => !isKnown(text)) ?? [];
  if (files.length > 0 || (isShown && /[$]\w/.test(unknownTexts.map(joinText).join(" ")))) {
    const words = [createWord("echo"), ...(values ?? []).map(toPlainWord)];
    emitCommand(createCommand(words, scope), { words, redirects: files }, scope);
  }
  const listing = of.type === "variable" ? getLineState(scope).listings.get(getVariableKey(of.name)) : undefined;
  return { isPiped: true, values, ...(listing && { listing }) };
}
