import { emitCommand } from "../emit.ts";
import { countSteps, checkScript } from "../parser.ts";
import { takePipeSources } from "../pipe-sources.ts";
import { getCommonResult, mergeBranches, readEachChoice } from "../choices.ts";
import { assignVariable, createInnerScope, getVariableValues, type ShellScope } from "../scope.ts";
import { bindArguments, type GivenArgument } from "./binding.ts";
import { readCommand, readRedirects } from "./commands.ts";
import type { Flow } from "./cmdlet-call.ts";
import { evaluate, readTable } from "./evaluate.ts";
import { applyOperator } from "./operators.ts";
import { parsePowerShell } from "./parser.ts";
import { assignEnvironment, createCommand, createState, type Engine, type FunctionState, getState } from "./state.ts";
import type { Control, Expression, FunctionBody, PipelineElement, Script, Statement } from "./syntax.ts";
import { listUsedVariables } from "./used-variables.ts";
import {
  createText,
  createUnknown,
  getKnownText,
  getValue,
  getVariableKey,
  isKnown,
  joinText,
  joinTexts,
  type Text,
  toPlainWord,
  type Value,
} from "./values.ts";

const START: Flow = { isPiped: false, values: undefined };

/** Reads a text as PowerShell would run it. */
export function readPowerShell(text: string, scope: ShellScope): void {
  const { reader } = scope;
  createState(scope, ENGINE);
  reader.scriptDepth++;
  checkScript(text, reader);
  const { script, problem } = parsePowerShell(text);
  if (problem !== undefined) reader.problem ??= problem;
  readScript(script, scope, true);
  const { functions } = getState(scope);
  for (const one of functions.values()) if (!one.isCalled) callFunction(one, undefined, one.scope);
  reader.scriptDepth--;
}

/** Reads statements; gives what they pass on, if that is known. `isShown`: what they give is printed. */
function readScript(script: Script, scope: ShellScope, isShown: boolean): Value {
  const found: Text[] = [];
  let isCertain = true;
  for (const statement of script) {
    const value = readStatement(statement, scope, isShown);
    if (value) found.push(...value);
    else isCertain = false;
  }
  return isCertain ? found : undefined;
}

function readStatement(statement: Statement, scope: ShellScope, isShown: boolean): Value {
  countSteps(scope.reader);
  switch (statement.type) {
    case "pipeline":
      return getCommonResult(
        readEachChoice(
          scope,
          () => listUsedVariables(statement),
          (at) => readPipeline(statement.elements, at, isShown).values,
        ),
      );
    case "chain":
      return readChain(statement, scope, isShown);
    case "assignment":
      readEachChoice(
        scope,
        () => listUsedVariables(statement),
        (at) => readAssignment(statement, at),
      );
      return [];
    case "control":
      readControl(statement, scope, isShown);
      return undefined;
    case "function":
      getState(scope).functions.set(statement.name, {
        definition: statement.definition,
        scope: createInnerScope(scope),
        isCalled: false,
        running: 0,
      });
      return [];
    case "parameters":
      for (const { name, value } of statement.parameters) {
        if (value) evaluate(value, scope);
        // Those of a script are given by its caller.
        const key = getVariableKey(name);
        if (getVariableValues(scope, key) === undefined) assignVariable(scope, key, undefined);
      }
      return [];
  }
}

/** A loop over more items than this is read once. */
const MOST_TURNS = 64;

/** Reads what a keyword runs: all of its blocks, one of them or none, or one again and again. */
function readControl({ keyword, conditions, bodies, ...control }: Control, scope: ShellScope, isShown: boolean): void {
  for (const condition of conditions) readScript(condition, scope, false);
  if (keyword === "if" || keyword === "switch") {
    const ends = bodies.map((body) => {
      const at = createInnerScope(scope);
      readScript(body, at, isShown);
      return at;
    });
    mergeBranches(scope, ends, !control.isComplete);
  } else if (/^(?:while|for|do|foreach)$/.test(keyword)) {
    const items = control.list && readScript(control.list, scope, false);
    const turns = items && items.length <= MOST_TURNS ? items : [undefined];
    readLoop(turns, control.name ?? "", bodies[0] ?? [], scope, isShown);
  } else for (const body of bodies) readScript(body, scope, isShown);
}

/** Reads the body of a loop once for each item; if it changes the folder, none of its folders is certain. */
function readLoop(
  items: readonly (Text | undefined)[],
  name: string,
  body: Script,
  scope: ShellScope,
  isShown: boolean,
): void {
  const ends = items.map((item) => {
    const at = createInnerScope(scope);
    if (name !== "") assignVariable(at, getVariableKey(name), item && [item]);
    readScript(body, at, isShown);
    return at;
  });
  mergeBranches(scope, ends, true);
}

function readChain({ first, rest }: Extract<Statement, { type: "chain" }>, scope: ShellScope, isShown: boolean): Value {
  readStatement(first, scope, isShown);
  for (const { operator, statement } of rest) {
    if (operator === "&&") readStatement(statement, scope, isShown);
    else {
      const at = createInnerScope(scope);
      readStatement(statement, at, isShown);
      const { cwd } = scope;
      mergeBranches(scope, [at], true);
      scope.cwd = cwd;
    }
  }
  return undefined;
}

function readAssignment(
  { target, operator, value }: Extract<Statement, { type: "assignment" }>,
  scope: ShellScope,
): void {
  const table = getAssignedTable(value);
  const entries = table && readTable(table, scope);
  const given = table ? undefined : readStatement(value, scope, false);
  let to = target;
  while (to.type === "cast") to = to.of;
  if (assignEntry(to, given, scope)) return;
  if (to.type !== "variable") {
    evaluate(to, scope);
    // The last of several variables gets all that is left.
    const items = to.type === "list" ? to.items : [];
    for (const [at, one] of items.entries())
      if (one.type === "variable")
        assignVariable(scope, getVariableKey(one.name), given?.slice(at, at === items.length - 1 ? undefined : at + 1));
    return;
  }
  const key = getVariableKey(to.name);
  if (entries) getState(scope).tables.set(key, entries);
  const block = getAssignedBlock(value);
  if (block) getState(scope).blocks.set(key, block.definition);
  const before = operator === "=" ? undefined : getValue(to.name, scope);
  const after = operator === "=" ? given : operator === "+=" ? applyOperator("+", before, given) : undefined;
  if (key.startsWith("alias:") && after?.[0]) getState(scope).aliases.set(key.slice(6), joinText(after[0]));
  if (key.startsWith("env:"))
    assignEnvironment({ [key.slice(4).toUpperCase()]: after ? joinTexts(after, " ") : createUnknown(key) }, scope);
  else assignVariable(scope, key, after);
}

/** Sets an entry of a table, `$x.Path = …`, `$x['Path'] = …`; false if it does not set one. */
function assignEntry(to: Expression, value: Value, scope: ShellScope): boolean {
  if ((to.type !== "member" && to.type !== "index") || to.of.type !== "variable") return false;
  const { tables } = getState(scope);
  const key = getVariableKey(to.of.name);
  const table = tables.get(key);
  const name = table && getKnownText(evaluate(to.type === "member" ? to.name : to.index, scope)?.[0]);
  if (name === undefined) return false;
  tables.set(key, new Map([...(table ?? []), [name, value]]));
  return true;
}

/** The expression that a statement is, if it is nothing else. */
function getAssignedExpression(value: Statement): Expression | undefined {
  if (value.type !== "pipeline" || value.elements.length !== 1) return undefined;
  const [element] = value.elements;
  let of = element?.type === "expression" ? element.of : undefined;
  while (of?.type === "cast") of = of.of;
  return of;
}

function getAssignedTable(value: Statement): Extract<Expression, { type: "table" }> | undefined {
  const of = getAssignedExpression(value);
  return of?.type === "table" ? of : undefined;
}

function getAssignedBlock(value: Statement): Extract<Expression, { type: "block" }> | undefined {
  const of = getAssignedExpression(value);
  return of?.type === "block" ? of : undefined;
}

/** Reads a pipeline; gives what its last element passes on. */
function readPipeline(elements: readonly PipelineElement[], scope: ShellScope, isShown: boolean): Flow {
  let flow = START;
  const { sources } = scope;
  const { commands } = scope.reader;
  for (const [at, element] of elements.entries()) {
    const isLast = at === elements.length - 1;
    const first = commands.length;
    flow =
      element.type === "expression"
        ? readShown(element, scope, isLast ? isShown : at === 0)
        : readCommand(element, scope, flow);
    scope.sources = takePipeSources(commands, first);
  }
  if (sources) scope.sources = sources;
  else delete scope.sources;
  return flow;
}

/** Reads an expression; what it prints is as if `echo` printed it, where it is not known. */
function readShown(
  { of, redirects }: Extract<PipelineElement, { type: "expression" }>,
  scope: ShellScope,
  isShown: boolean,
): Flow {
  const values = evaluate(of, scope);
  const files = redirects.length > 0 ? readRedirects(redirects, scope) : [];
  const live = values?.filter((text) => !isKnown(text)) ?? [];
  if (files.length > 0 || (isShown && live.length > 0 && /[$]\w/.test(live.map(joinText).join(" ")))) {
    const words = [createText("echo"), ...(values ?? [])].map(toPlainWord);
    emitCommand(createCommand(words, scope), words, files, {}, scope);
  }
  return { isPiped: true, values };
}

/** Calls of a function in itself are read up to this depth. */
const MOST_RUNNING = 2;

/** Reads the body of a function that is called. */
function callFunction(
  called: FunctionState,
  args: readonly GivenArgument[] | undefined,
  scope: ShellScope,
  item?: Text,
): Value {
  if (called.running === MOST_RUNNING) return undefined;
  called.isCalled = true;
  called.running++;
  const at = createInnerScope(scope);
  if (item) for (const key of ["_", "psitem", "input"]) assignVariable(at, key, [item]);
  const value = runDefinition(called.definition, args, at, scope);
  called.running--;
  return value;
}

/** Runs a body with arguments; without them, none is known. */
function runDefinition(
  { parameters, body }: FunctionBody,
  args: readonly GivenArgument[] | undefined,
  scope: ShellScope,
  outer: ShellScope,
): Value {
  if (parameters.length > 0 || (args?.length ?? 0) > 0) bindParameters(parameters, args, scope);
  const value = readScript(body, scope, true);
  if (scope !== outer && !scope.remote) outer.cwd = scope.cwd;
  return value;
}

function bindParameters(
  parameters: FunctionBody["parameters"],
  args: readonly GivenArgument[] | undefined,
  scope: ShellScope,
): void {
  const listed = parameters.map(({ name }, position) => ({
    name,
    names: [name.toLowerCase()],
    isSwitch: false,
    isPath: false,
    position,
  }));
  const values = args && bindArguments({ parameters: listed }, args).values;
  // Without parameters, options count among `$args`.
  const isRest = (arg: GivenArgument) => arg.type === "values" && !(arg.isOption && parameters.length > 0);
  assignVariable(
    scope,
    "args",
    args?.filter(isRest).flatMap((arg) => (arg.type === "values" ? arg.texts : [])),
  );
  for (const { name, value } of parameters) {
    const given = values?.get(name) ?? (args && value ? evaluate(value, scope) : undefined);
    assignVariable(scope, getVariableKey(name), given);
  }
}

function expandText(text: string, scope: ShellScope): Text {
  const { script } = parsePowerShell(`"${text.replaceAll('"', '`"')}"`);
  return readScript(script, scope, false)?.[0] ?? createUnknown("text");
}

const ENGINE: Engine = { readPowerShell, readScript, expandText, runDefinition, callFunction };
