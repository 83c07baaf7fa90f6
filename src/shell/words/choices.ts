import { readNewCommands } from "../runs/new-commands.ts";
import { countSteps, canRereadLine } from "../parser.ts";
import {
  type OutcomeChoice,
  createInnerScope,
  findVariable,
  isChoice,
  type Outcome,
  type ShellScope,
  copyFolder,
  type VariableValue,
} from "../scope.ts";

/** Maximum number of outcomes. Beyond that, values that differ between branches count as unknown. */
const MAX_OUTCOMES = 8;
/** Maximum number of combinations. Beyond that, every outcome is still read, but not together with every other one. */
const MAX_COMBINATIONS = 16;

type PossibleValues = readonly VariableValue[] | undefined;
/** Which outcome is selected for each choice. */
type OutcomeSelection = ReadonlyMap<OutcomeChoice, Outcome>;

const isSameValue = (value: VariableValue, otherValue: VariableValue): boolean =>
  value === otherValue ||
  (value.length === otherValue.length &&
    value.every(
      ({ text, isDynamic }, piece) => text === otherValue[piece]?.text && isDynamic === otherValue[piece]?.isDynamic,
    ));

const areSameValues = (a: PossibleValues, b: PossibleValues): boolean =>
  a === b ||
  (a !== undefined && a.length === b?.length && a.every((value, at) => isSameValue(value, b[at] as VariableValue)));

const getFolderChoice = ({ cwd, folderChoice }: ShellScope) => (cwd === undefined ? folderChoice : undefined);

export const isSameFolder = (a: ShellScope, b: ShellScope): boolean =>
  a.cwd === b.cwd && getFolderChoice(a) === getFolderChoice(b);

const areSameParameters = ({ parameters: a }: ShellScope, { parameters: b }: ShellScope): boolean =>
  a === b || (!isChoice(a) && !isChoice(b) && areSameValues(a, b));

/** Lists the values that a variable can have. */
const listValues = (variable: ReturnType<typeof findVariable>, name: string): PossibleValues[] =>
  isChoice(variable) ? variable.outcomes.map(({ values }) => values.get(name)) : [variable ?? undefined];

/** Whether a variable has the same value, or the very same choice of values, in both scopes. */
function isSameVariable(name: string, a: ShellScope, b: ShellScope): boolean {
  const [firstValue, secondValue] = [findVariable(a, name), findVariable(b, name)];
  return (
    firstValue === secondValue ||
    (!isChoice(firstValue) &&
      !isChoice(secondValue) &&
      areSameValues(firstValue ?? undefined, secondValue ?? undefined))
  );
}

/** Whether a variable can have the same values in both scopes, no matter which branches assigned them. */
export function hasEqualValues(name: string, a: ShellScope, b: ShellScope): boolean {
  const [values, otherValues] = [listValues(findVariable(a, name), name), listValues(findVariable(b, name), name)];
  return values.length === otherValues.length && values.every((value, at) => areSameValues(value, otherValues[at]));
}

/**
 * Combines the outcomes of several choices. If there are too many combinations, lists just enough to include each
 * outcome at least once.
 */
function combineChoices(choices: readonly OutcomeChoice[]): { combinations: OutcomeSelection[]; isComplete: boolean } {
  const counts = choices.map(({ outcomes }) => outcomes.length);
  const combinationCount = counts.reduce((product, count) => Math.min(product * count, MAX_COMBINATIONS + 1), 1);
  const isComplete = combinationCount <= MAX_COMBINATIONS;
  const combinations = Array.from({ length: isComplete ? combinationCount : Math.max(...counts) }, (_, number) => {
    let remainder = number;
    return new Map(
      choices.map((choice) => {
        const count = choice.outcomes.length;
        const at = remainder % count;
        if (isComplete) remainder = (remainder - at) / count;
        return [choice, choice.outcomes[at] as Outcome];
      }),
    );
  });
  return { combinations, isComplete };
}

/** Variables that differ between scopes, and whether the directory and the positional parameters differ. */
interface ScopeDifference {
  names: readonly string[];
  hasFolder: boolean;
  hasParameters: boolean;
}

/** "complete" if one of the branches is certain to run; "partial" if it is possible that none of them does. */
export type BranchCoverage = "complete" | "partial";

/** Merges alternative branches. Where their values differ, the variable becomes a choice. */
export function mergeBranches(scope: ShellScope, branches: readonly ShellScope[], coverage: BranchCoverage): void {
  const finalScopes = coverage === "partial" ? [scope, ...branches] : branches;
  const [firstScope = scope] = finalScopes;
  const names: string[] = [];
  const assignedNames = new Set(branches.flatMap(({ values }) => [...values.keys()]));
  countSteps(scope.reader, assignedNames.size >> 5);
  for (const name of assignedNames) {
    // If only some branches assign a variable that wasn't set before, assume that one of them ran.
    const [firstEnd, ...otherEnds] = finalScopes.filter((end) => findVariable(end, name) !== undefined);
    if (!firstEnd || !otherEnds.every((otherEnd) => isSameVariable(name, firstEnd, otherEnd))) names.push(name);
    else scope.values.set(name, findVariable(firstEnd, name) ?? undefined);
  }
  const hasFolder = !finalScopes.every((end) => isSameFolder(end, firstScope));
  const hasParameters = !finalScopes.every((end) => areSameParameters(end, firstScope));
  const { lastArgument } = firstScope;
  scope.lastArgument =
    lastArgument && finalScopes.every((end) => end.lastArgument && isSameValue(end.lastArgument, lastArgument))
      ? lastArgument
      : undefined;
  if (!hasFolder) copyFolder(scope, firstScope);
  if (!hasParameters) scope.parameters = firstScope.parameters;
  const parts = [
    ...names.map((name) => ({ names: [name], hasFolder: false, hasParameters: false })),
    ...(hasFolder ? [{ names: [], hasFolder, hasParameters: false }] : []),
    ...(hasParameters ? [{ names: [], hasFolder: false, hasParameters }] : []),
  ];
  if (parts.length === 0) return;
  const difference = { names, hasFolder, hasParameters };
  const commonOutcomes = listOutcomes(finalScopes, difference);
  const mergedParts = commonOutcomes
    ? [{ ...difference, outcomes: commonOutcomes }]
    : parts.map((part) => ({ ...part, outcomes: listOutcomes(finalScopes, part) }));
  for (const part of mergedParts) bindOutcomes(scope, part, part.outcomes);
}

/**
 * Replaces each part of the scope that differs with a choice of outcomes, or marks it as unknown if there are too many.
 */
function bindOutcomes(scope: ShellScope, difference: ScopeDifference, outcomes: readonly Outcome[] | undefined): void {
  const { names, hasFolder, hasParameters } = difference;
  const [firstOutcome, secondOutcome] = outcomes ?? [];
  const choice = outcomes && secondOutcome && { outcomes };
  if (choice) scope.reader.hasChoices = true;
  for (const name of names) scope.values.set(name, choice ?? firstOutcome?.values.get(name));
  if (hasFolder) Object.assign(scope, { cwd: undefined, ...(!choice && firstOutcome?.folder), folderChoice: choice });
  if (hasParameters) scope.parameters = choice ?? firstOutcome?.parameters;
}

/** Lists the distinct outcomes of the branches, or undefined if there are too many. */
function listOutcomes(finalScopes: readonly ShellScope[], difference: ScopeDifference): readonly Outcome[] | undefined {
  const { names, hasFolder, hasParameters } = difference;
  const outcomes: Outcome[] = [];
  // In a branch that doesn't assign a variable, assume the value from another branch.
  const assignedValues = new Map(
    names.map((name) => [
      name,
      listValues(
        finalScopes.map((end) => findVariable(end, name)).find((variable) => variable !== undefined),
        name,
      )[0],
    ]),
  );
  for (const end of finalScopes) {
    const { combinations, isComplete } = combineChoices(listChoices(end, difference));
    if (!isComplete) return undefined;
    for (const selection of combinations) {
      const outcome = createOutcome(end, names, selection, assignedValues);
      const isKnown = outcomes.some(
        (knownOutcome) =>
          names.every((name) => areSameValues(outcome.values.get(name), knownOutcome.values.get(name))) &&
          (!hasFolder || outcome.folder.cwd === knownOutcome.folder.cwd) &&
          (!hasParameters || areSameValues(outcome.parameters, knownOutcome.parameters)),
      );
      if (!isKnown) outcomes.push(outcome);
      if (outcomes.length > MAX_OUTCOMES) return undefined;
    }
  }
  return outcomes;
}

/** Lists the choices behind the parts of a scope that differ. */
function listChoices(scope: ShellScope, { names, hasFolder, hasParameters }: ScopeDifference): OutcomeChoice[] {
  const choices = new Set<OutcomeChoice>();
  for (const name of names) {
    const value = findVariable(scope, name);
    if (isChoice(value)) choices.add(value);
  }
  const folder = hasFolder && getFolderChoice(scope);
  if (folder) choices.add(folder);
  if (hasParameters && isChoice(scope.parameters)) choices.add(scope.parameters);
  return [...choices];
}

function createOutcome(
  scope: ShellScope,
  names: readonly string[],
  selection: OutcomeSelection,
  assignedValues: ReadonlyMap<string, PossibleValues>,
): Outcome {
  const { cwd, previousFolder, steps, parameters } = scope;
  const folderChoice = getFolderChoice(scope);
  const values = new Map<string, PossibleValues>();
  for (const name of names) {
    const value = findVariable(scope, name);
    if (value === undefined) values.set(name, assignedValues.get(name));
    else values.set(name, isChoice(value) ? selection.get(value)?.values.get(name) : (value ?? undefined));
  }
  return {
    values,
    folder: (folderChoice && selection.get(folderChoice)?.folder) ?? { cwd, previousFolder, steps },
    parameters: isChoice(parameters) ? selection.get(parameters)?.parameters : parameters,
  };
}

/** Creates a scope in which every choice is narrowed to its selected outcome. */
function createSelectedScope(scope: ShellScope, selection: OutcomeSelection): ShellScope {
  const { parameters } = scope;
  const folderChoice = getFolderChoice(scope);
  const folder = folderChoice && selection.get(folderChoice)?.folder;
  const parameterOutcome = isChoice(parameters) ? selection.get(parameters) : undefined;
  const selectedScope = createInnerScope(scope, {
    ...(folder && { ...folder, folderChoice: undefined }),
    ...(parameterOutcome && { parameters: parameterOutcome.parameters }),
  });
  for (const [choice, { values }] of selection)
    for (const [name, value] of values) if (findVariable(scope, name) === choice) selectedScope.values.set(name, value);
  return selectedScope;
}

/** Whether reading a command changed the scope in any way other than selecting outcomes. */
function hasOtherChanges(at: ShellScope, scope: ShellScope, selection: OutcomeSelection): boolean {
  const originalScope = createSelectedScope(scope, selection);
  if (!isSameFolder(at, originalScope) || !areSameParameters(at, originalScope)) return true;
  for (const [name, value] of at.values)
    if (!originalScope.values.has(name) || originalScope.values.get(name) !== value) return true;
  return false;
}

/** Restores the outcomes that a scope covered before some were selected, but keeps what the command changed. */
function restoreOutcomes(at: ShellScope, scope: ShellScope, selection: OutcomeSelection): void {
  const originalScope = createSelectedScope(scope, selection);
  for (const [name, value] of originalScope.values) if (at.values.get(name) === value) at.values.delete(name);
  if (isSameFolder(at, originalScope)) copyFolder(at, scope);
  if (areSameParameters(at, originalScope)) at.parameters = scope.parameters;
}

/**
 * Reads a command once for each combination of its variables' possible values.
 * @returns the result for each combination
 */
export function readForEachChoice<T>(
  scope: ShellScope,
  listNames: () => readonly string[],
  readCommand: (at: ShellScope) => T,
): T[] {
  const { reader } = scope;
  if (!reader.hasChoices || !canRereadLine(reader)) return [readCommand(scope)];
  const names = listNames();
  const choices = listChoices(scope, { names, hasFolder: true, hasParameters: names.some(isParameter) });
  if (choices.length === 0) return [readCommand(scope)];
  const { combinations, isComplete } = combineChoices(choices);
  const seenCommands = new Set<string>();
  const readings: { at: ShellScope; picks: OutcomeSelection; result: T }[] = [];
  const { isRepeating } = reader;
  for (const selection of isComplete ? combinations : [...combinations, new Map()]) {
    if (readings.length > 0 && !canRereadLine(reader)) break;
    const at = createSelectedScope(scope, selection);
    readings.push({ at, picks: selection, result: readNewCommands(reader, seenCommands, () => readCommand(at)) });
    reader.isRepeating = true;
  }
  reader.isRepeating = isRepeating;
  const keepsSelection = isComplete && readings.some(({ at, picks }) => hasOtherChanges(at, scope, picks));
  if (!keepsSelection) for (const { at, picks } of readings) restoreOutcomes(at, scope, picks);
  const finalScopes = readings.map(({ at }) => at);
  mergeBranches(scope, finalScopes, "complete");
  if (finalScopes.every(({ steps }) => steps === finalScopes[0]?.steps)) scope.steps = finalScopes[0]?.steps;
  scope.previousFolder = getSharedResult(finalScopes.map(({ previousFolder }) => previousFolder));
  return readings.map(({ result }) => result);
}

/** Returns the result if all results are the same, and undefined otherwise. */
export const getSharedResult = <T>(results: readonly T[]): T | undefined =>
  results.every((result) => result === results[0]) ? results[0] : undefined;

const isParameter = (name: string) => /^(?:[@*#]|\d+)$/.test(name);
