import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import { bindArguments, type CmdletArgument } from "./parameter-binding.ts";
import { parseParameters } from "./cmdlets.ts";
import { type FunctionState, getLineState } from "./state.ts";
import type { FunctionBody } from "./syntax.ts";
import type { Text, Value } from "./text-values.ts";
import { getVariableKey } from "./variables.ts";

/** Maximum recursion depth when reading function calls. */
const MAX_CALL_DEPTH = 2;

/** Reads the body of a called function. If `args` is undefined, all of the call's arguments are unknown. */
export function callFunction(
  calledFunction: FunctionState,
  args: readonly CmdletArgument[] | undefined,
  scope: ShellScope,
  items?: readonly Text[],
): Value {
  if (calledFunction.callDepth === MAX_CALL_DEPTH) return undefined;
  calledFunction.isCalled = true;
  calledFunction.callDepth++;
  const value = runFunctionBody(calledFunction.definition, args, scope, { items, changes: {} });
  calledFunction.callDepth--;
  return value;
}

/** Maximum number of items to read one by one. If there are more, the body is read once for all of them. */
const MAX_ITEMS = 16;

/**
 * Reads a function body. If `args` is undefined, all arguments are unknown. If `changes` is set, the body has its own
 * scope.
 */
export function runFunctionBody(
  { parameters, body }: FunctionBody,
  args: readonly CmdletArgument[] | undefined,
  scope: ShellScope,
  { items, changes }: { items?: readonly (Text | undefined)[] | undefined; changes?: Partial<ShellScope> },
): Value {
  const at = changes ? createInnerScope(scope, changes) : scope;
  if (parameters.length > 0 || args === undefined || args.length > 0) bindParameters(parameters, args, at);
  const results = (items && items.length <= MAX_ITEMS ? items : [undefined]).map((item) => {
    if (items) for (const key of ["_", "psitem", "input"]) assignVariable(at, key, item && [item]);
    return getLineState(scope).readScript(body, at, true);
  });
  if (!at.remote) scope.cwd = at.cwd;
  return results.includes(undefined) ? undefined : (results as Text[][]).flat();
}

function bindParameters(
  parameters: FunctionBody["parameters"],
  args: readonly CmdletArgument[] | undefined,
  scope: ShellScope,
): void {
  const parameterList = parseParameters(parameters.map(({ name }, at) => `${name}:${at}`).join(" "));
  const values = args && bindArguments({ parameters: parameterList }, args).values;
  // If a function declares no parameters, `$args` includes the options.
  const remainingArguments = args?.filter(
    ({ isOption, block, entries }) => !block && !entries && !(isOption && parameterList.length > 0),
  );
  assignVariable(
    scope,
    "args",
    remainingArguments?.flatMap(({ texts }) => texts),
  );
  for (const { name, value } of parameters) {
    const parameterValue =
      values?.get(name) ?? (args && value ? getLineState(scope).readScript(value, scope, false) : undefined);
    assignVariable(scope, getVariableKey(name), parameterValue);
  }
}
