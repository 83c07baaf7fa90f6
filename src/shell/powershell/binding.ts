import type { ShellScope } from "../scope.ts";
import { findParameter, type Cmdlet, type Parameter } from "./cmdlets.ts";
import { evaluate } from "./evaluate.ts";
import { getState } from "./state.ts";
import type { Argument, FunctionBody } from "./syntax.ts";
import {
  createUnknown,
  getKnownText,
  getVariableKey,
  joinText,
  type Segment,
  type Text,
  type Value,
} from "./values.ts";

/** A word of a command: its texts, or a block of code. */
export type GivenArgument = { source: string } & (
  | { type: "values"; texts: readonly Text[]; isOption: boolean }
  | { type: "block"; definition: FunctionBody }
  /** What a table holds for each parameter. */
  | { type: "table"; entries: ReadonlyMap<string, Value> }
);

/** Evaluates the arguments of a command. */
export const readArguments = (args: readonly Argument[], scope: ShellScope): GivenArgument[] =>
  args.flatMap((arg) => readArgument(arg, scope));

function readArgument({ items, source }: Argument, scope: ShellScope): GivenArgument[] {
  const [first] = items;
  if (items.length === 1 && first?.type === "block") return [{ type: "block", definition: first.definition, source }];
  if (items.length === 1 && first?.type === "splat") {
    const entries = getState(scope).tables.get(getVariableKey(first.name));
    if (entries) return [{ type: "table", entries, source }];
    const texts = evaluate(first, scope) ?? [createUnknown(source)];
    // `@args` passes on what a function was called with, its options included.
    return texts.map((text) => ({
      type: "values",
      texts: [text],
      isOption: /^-[A-Za-z]/.test(joinText(text)),
      source,
    }));
  }
  const unknown = [createUnknown(items.length === 1 ? source : "item")];
  const texts = items.flatMap((item) => evaluate(item, scope) ?? unknown);
  const [piece] = first?.type === "word" ? first.pieces : [];
  const isOption = piece?.type === "text" && piece.isBare === true && /^-[A-Za-z_?]/.test(piece.text);
  return [{ type: "values", texts, isOption, source }];
}

/** The arguments of a cmdlet by its parameters. */
export interface BoundArguments {
  values: ReadonlyMap<string, readonly Text[]>;
  switches: ReadonlySet<string>;
  blocks: readonly { parameter: string; definition: FunctionBody }[];
  /** Options that the cmdlet does not have. */
  unknown: readonly string[];
  /** Options that are not among its own. */
  common: readonly string[];
}

const OFF = /^(?:false|0|\$false)$/i;

/** The part of an option's word behind its first colon; undefined if there is none. */
function splitOption(text: Text): { name: string; value?: Text } {
  const plain = (text[0] as Segment).text;
  const colon = plain.indexOf(":");
  if (colon < 0) return { name: joinText(text).slice(1) };
  const rest: Text = [{ ...(text[0] as Segment), text: plain.slice(colon + 1) }, ...text.slice(1)];
  return { name: plain.slice(1, colon), value: rest.filter((one) => one.text !== "" || one.live) };
}

/** Gives each argument to a parameter. */
export function bindArguments(cmdlet: Pick<Cmdlet, "parameters">, args: readonly GivenArgument[]): BoundArguments {
  const values = new Map<string, readonly Text[]>();
  const switches = new Set<string>();
  const blocks: { parameter: string; definition: FunctionBody }[] = [];
  const unknown: string[] = [];
  const common: string[] = [];
  const loose: (readonly Text[])[] = [];
  const looseBlocks: FunctionBody[] = [];
  const add = ({ name }: Parameter, texts: readonly Text[]) =>
    values.set(name, [...(values.get(name) ?? []), ...texts]);
  let isOpen = true;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as GivenArgument;
    if (isOpen && arg.type === "values" && arg.source === "--") isOpen = false;
    else if (arg.type === "block") looseBlocks.push(arg.definition);
    else if (arg.type === "table")
      for (const [name, value] of arg.entries) {
        const parameter = findParameter(cmdlet, name);
        if (!parameter) unknown.push(name);
        else if (!parameter.isSwitch) add(parameter, value ?? [createUnknown(name)]);
        else if (!OFF.test(getKnownText(value?.[0]) ?? "")) switches.add(parameter.name);
      }
    else if (!arg.isOption || !isOpen) loose.push(arg.texts);
    else {
      const { name, value } = splitOption(arg.texts[0] as Text);
      const parameter = findParameter(cmdlet, name);
      if (parameter && !cmdlet.parameters.includes(parameter)) common.push(name);
      if (!parameter) {
        unknown.push(name);
        continue;
      }
      const next = args[at + 1];
      if (parameter.isSwitch) {
        const given = value && value.length > 0 ? value : value && next?.type === "values" ? next.texts[0] : undefined;
        if (value && value.length === 0) at++;
        if (!given || !OFF.test(getKnownText(given) ?? "")) switches.add(parameter.name);
        else switches.delete(parameter.name);
      } else if (value && value.length > 0) add(parameter, [value, ...arg.texts.slice(1)]);
      else if (next?.type === "block") {
        blocks.push({ parameter: parameter.name, definition: next.definition });
        at++;
      } else if (next?.type === "values") {
        add(parameter, next.texts);
        at++;
      }
    }
  }
  placeLoose(cmdlet, loose, values);
  for (const definition of looseBlocks) blocks.push({ parameter: "", definition });
  return { values, switches, blocks, unknown, common };
}

/** Gives what has no name to the parameters with a position; what is too much goes to the last of them. */
function placeLoose(
  { parameters }: Pick<Cmdlet, "parameters">,
  loose: readonly (readonly Text[])[],
  values: Map<string, readonly Text[]>,
): void {
  const positional = parameters
    .filter(({ position, name }) => position !== undefined && !values.has(name))
    .toSorted((a, b) => (a.position as number) - (b.position as number));
  // A literal path takes the place of a path.
  const open = values.has("LiteralPath") ? positional.filter(({ name }) => name !== "Path") : positional;
  for (const [at, texts] of loose.entries()) {
    const parameter = open[Math.min(at, open.length - 1)];
    if (parameter) values.set(parameter.name, [...(values.get(parameter.name) ?? []), ...texts]);
  }
}
