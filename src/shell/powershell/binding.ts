import { type Cmdlet, findParameter, type Parameter } from "./cmdlets.ts";
import type { FunctionBody } from "./syntax.ts";
import { createUnknown, getKnownText, joinText, type Segment, type Text, type Value } from "./texts.ts";

export interface GivenArgument {
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
  unknown: string[];
  /** Common options that every cmdlet supports. */
  common: string[];
}

const FALSE_VALUE = /^(?:false|0|\$false)$/i;

/** Splits an option into its name and the optional value after a colon. */
function splitOption(text: Text): { name: string; value?: Text } {
  const [first, ...others] = text as [Segment, ...Segment[]];
  const colon = first.text.indexOf(":");
  if (colon < 0) return { name: joinText(text).slice(1) };
  const rest: Text = [{ ...first, text: first.text.slice(colon + 1) }, ...others];
  return { name: first.text.slice(1, colon), value: rest.filter((one) => one.text !== "" || one.live) };
}

/** Sets a parameter. A switch with the value false is removed. */
function setParameter(
  { name, isSwitch }: Parameter,
  texts: readonly Text[],
  { values, switches }: BoundArguments,
): void {
  if (!isSwitch) values.set(name, [...(values.get(name) ?? []), ...texts]);
  else if (FALSE_VALUE.test(getKnownText(texts[0]) ?? "")) switches.delete(name);
  else switches.add(name);
}

export function bindArguments(cmdlet: Pick<Cmdlet, "parameters">, args: readonly GivenArgument[]): BoundArguments {
  const bound: BoundArguments = { values: new Map(), switches: new Set(), blocks: [], unknown: [], common: [] };
  const find = (name: string) => {
    const parameter = findParameter(cmdlet, name);
    if (!parameter) bound.unknown.push(name);
    else if (!cmdlet.parameters.includes(parameter)) bound.common.push(name);
    return parameter;
  };
  const loose: (readonly Text[])[] = [];
  const dashes = args.findIndex(({ source }) => source === "--");
  for (let at = 0; at < args.length; at++) {
    const { texts, isOption, block, entries } = args[at] as GivenArgument;
    if (block) bound.blocks.push(block);
    else if (entries)
      for (const [name, value = [createUnknown(name)]] of entries) {
        const parameter = find(name);
        if (parameter) setParameter(parameter, value, bound);
      }
    else if (at === dashes) continue;
    else if (!isOption || (dashes >= 0 && at > dashes)) loose.push(texts);
    else {
      const { name, value } = splitOption(texts[0] as Text);
      const parameter = find(name);
      if (!parameter) continue;
      if (value && value.length > 0) setParameter(parameter, [value, ...texts.slice(1)], bound);
      else if (parameter.isSwitch && !value) setParameter(parameter, [], bound);
      else {
        const next = args[++at];
        if (next?.block) bound.blocks.push(next.block);
        else if (next) setParameter(parameter, next.texts, bound);
      }
    }
  }
  bindPositional(cmdlet, loose, bound);
  return bound;
}

/** Binds positional arguments to parameters. Surplus arguments go to the last positional parameter. */
function bindPositional(
  { parameters }: Pick<Cmdlet, "parameters">,
  loose: readonly (readonly Text[])[],
  bound: BoundArguments,
): void {
  const { values } = bound;
  // A literal path takes the position of `Path`.
  const open = parameters
    .filter(({ position, name }) => position !== undefined && !values.has(name))
    .filter(({ name }) => name !== "Path" || !values.has("LiteralPath"))
    .toSorted((a, b) => (a.position as number) - (b.position as number));
  for (const [at, texts] of loose.entries()) {
    const parameter = open[Math.min(at, open.length - 1)];
    if (parameter) setParameter(parameter, texts, bound);
  }
}
