import {
  copyFolder,
  createInnerScope,
  type EarlyExits,
  type FunctionDefinition,
  restoreLocals,
  type ShellScope,
} from "./scope.ts";
import { mergeBranches } from "./words/choices.ts";
import type { Word } from "./words/word.ts";
import { toSegments } from "./words/words.ts";

/** Maximum recursion depth when reading function calls. */
const MAX_CALL_DEPTH = 2;

/**
 * Reads the body of a called function with the call's arguments. Returns the function's output, if known. Returns
 * undefined if no function has the program's name.
 */
export function callFunction(
  [program, ...args]: readonly Word[],
  scope: ShellScope,
  stdin: string | undefined,
): { output: string | undefined } | undefined {
  const definitions = program?.dynamic === undefined ? scope.functions.get(program?.text ?? "") : undefined;
  if (!definitions) return undefined;
  const [firstDefinition, ...otherDefinitions] = definitions.filter(({ callDepth }) => callDepth < MAX_CALL_DEPTH);
  if (!firstDefinition) return { output: undefined };
  if (otherDefinitions.length === 0) return { output: runFunction(firstDefinition, args, scope, stdin) };
  const calls = [firstDefinition, ...otherDefinitions].map((definition) => {
    const at = createInnerScope(scope);
    return { at, output: runFunction(definition, args, at, stdin) };
  });
  mergeBranches(
    scope,
    calls.map(({ at }) => at),
    "complete",
  );
  const outputs = calls.map(({ output }) => output);
  return { output: outputs.includes(undefined) ? undefined : outputs.join("") };
}

function runFunction(
  definition: FunctionDefinition,
  args: readonly Word[],
  scope: ShellScope,
  stdin: string | undefined,
): string | undefined {
  definition.isCalled = true;
  definition.callDepth++;
  const locals: ShellScope["locals"] = new Map();
  const functionScope: ShellScope = { ...scope, parameters: args.map(toSegments), locals, stdin };
  const exits: EarlyExits = { owner: functionScope, states: [] };
  const output = definition.body(Object.assign(functionScope, { functionExits: exits, loopExits: undefined }));
  if (exits.states.length > 0) mergeBranches(functionScope, exits.states, "partial");
  restoreLocals(scope, locals);
  copyFolder(scope, functionScope);
  scope.steps = functionScope.steps;
  definition.callDepth--;
  return output || undefined;
}
