import { type Cmdlet, findParameter, type Parameter } from "./cmdlets.ts";
import type { FunctionBody } from "./syntax.ts";
import { createUnknownValue, getKnownText, joinText, type Segment, type Text, type Value } from "./text-values.ts";

export interface CmdletArgument {
  source: string;
  texts: readonly Text[];
  isOption: boolean;
  /** Script block, if the argument is one. */
  block?: FunctionBody | undefined;
  /** Values by parameter name, if the argument is a splatted hashtable. */
  entries?: ReadonlyMap<string, Value>;
}

export interface BoundArguments {
  values: Map<string, readonly Text[]>;
  switches: Set<string>;
  blocks: FunctionBody[];
  /** Options that the cmdlet doesn't support. */
  unknownOptions: string[];
  /** Common options that every cmdlet supports. */
  commonOptions: string[];
}

const FALSE_VALUE = /^(?:false|0|\$false)$/i;

/** Splits an option into its name and the optional value after a colon. */
function splitOption(text: Text): { name: string; value?: Text } {
  const [firstSegment, ...otherSegments] = text as [Segment, ...Segment[]];
  const colon = firstSegment.text.indexOf(":");
  if (colon < 0) return { name: joinText(text).slice(1) };
  const valueSegments: Text = [{ ...firstSegment, text: firstSegment.text.slice(colon + 1) }, ...otherSegments];
  return {
    name: firstSegment.text.slice(1, colon),
    value: valueSegments.filter((segment) => segment.text !== "" || segment.isDynamic),
  };
}

/** Sets a parameter. A switch set to false is removed. */
function setParameter(
  { name, isSwitch }: Parameter,
  texts: readonly Text[],
  { values, switches }: BoundArguments,
): void {
  if (!isSwitch) values.set(name, [...(values.get(name) ?? []), ...texts]);
  else if (FALSE_VALUE.test(getKnownText(texts[0]) ?? "")) switches.delete(name);
  else switches.add(name);
}

export function bindArguments(cmdlet: Pick<Cmdlet, "parameters">, args: readonly CmdletArgument[]): BoundArguments {
  const result: BoundArguments = {
    values: new Map(),
    switches: new Set(),
    blocks: [],
    unknownOptions: [],
    commonOptions: [],
  };
  const find = (name: string) => {
    const parameter = findParameter(cmdlet, name);
    if (!parameter) result.unknownOptions.push(name);
    else if (!cmdlet.parameters.includes(parameter)) result.commonOptions.push(name);
    return parameter;
  };
  const positionalArguments: (readonly Text[])[] = [];
  const dashes = args.findIndex(({ source }) => source === "--");
  for (let at = 0; at < args.length; at++) {
    const { texts, isOption, block, entries } = args[at] as CmdletArgument;
    if (block) result.blocks.push(block);
    else if (entries)
      for (const [name, value = [createUnknownValue(name)]] of entries) {
        const parameter = find(name);
        if (parameter) setParameter(parameter, value, result);
      }
    else if (at === dashes) continue;
    else if (!isOption || (dashes >= 0 && at > dashes)) positionalArguments.push(texts);
    else {
      const { name, value } = splitOption(texts[0] as Text);
      const parameter = find(name);
      if (!parameter) continue;
      if (value && value.length > 0) setParameter(parameter, [value, ...texts.slice(1)], result);
      else if (parameter.isSwitch && !value) setParameter(parameter, [], result);
      else {
        const nextArgument = args[++at];
        if (nextArgument?.block) result.blocks.push(nextArgument.block);
        else if (nextArgument) setParameter(parameter, nextArgument.texts, result);
      }
    }
  }
  bindPositional(cmdlet, positionalArguments, result);
  return result;
}

/** Binds positional arguments to parameters. The last positional parameter receives all surplus arguments. */
function bindPositional(
  { parameters }: Pick<Cmdlet, "parameters">,
  positionalArguments: readonly (readonly Text[])[],
  result: BoundArguments,
): void {
  const { values } = result;
  // If `LiteralPath` is set, `Path` doesn't take a positional argument.
  const positionalParameters = parameters
    .filter(({ position, name }) => position !== undefined && !values.has(name))
    .filter(({ name }) => name !== "Path" || !values.has("LiteralPath"))
    .toSorted((a, b) => (a.position as number) - (b.position as number));
  for (const [at, texts] of positionalArguments.entries()) {
    const parameter = positionalParameters[Math.min(at, positionalParameters.length - 1)];
    if (parameter) setParameter(parameter, texts, result);
  }
}
