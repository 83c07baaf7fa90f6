import type { Redirect } from "../command.ts";
import type { ShellScope } from "../scope.ts";
import type { Word } from "../word.ts";
import type { BoundArguments } from "./binding.ts";
import type { Cmdlet } from "./cmdlets.ts";
import { type Text, toPathWords, toPlainWord, type Value } from "./values.ts";

/** What files a command lists, for the next one of its pipeline. */
export interface Listing {
  folders: readonly Text[];
  /** Patterns of names; all, if there is none. */
  names: readonly string[];
  isRecursive: boolean;
  kind?: "d" | "f";
  /** Only some of them are taken, by what a name does not tell. */
  isChosen: boolean;
}

/** What one element of a pipeline gives to the next. */
export interface Flow {
  isPiped: boolean;
  values: Value;
  listing?: Listing;
}

export interface EmitOptions {
  stdin?: string | undefined;
  /** It gets more arguments at run time. */
  more?: boolean;
}

/** One call of a cmdlet, and what a presenter may do. */
export interface CmdletCall {
  cmdlet: Cmdlet;
  /** That of the cmdlet in small letters, not the alias's. */
  name: string;
  bound: BoundArguments;
  scope: ShellScope;
  flow: Flow;
  /** The words of the call as the line has them. */
  given: readonly Word[];
  redirects: readonly Redirect[];
  /** Adds a command to the result. */
  emit: (words: readonly Word[], options?: EmitOptions) => void;
}

export const createWord = (text: string): Word => ({ text });

export const getTexts = ({ bound }: CmdletCall, name: string): readonly Text[] => bound.values.get(name) ?? [];
export const isSet = ({ bound }: CmdletCall, name: string): boolean => bound.switches.has(name);

/** The words of a parameter's values. */
export function getWords(call: CmdletCall, name: string): Word[] {
  const { isPath } = call.cmdlet.parameters.find((one) => one.name === name) ?? {};
  return getTexts(call, name).flatMap((text) =>
    isPath ? toPathWords(text, name === "LiteralPath") : [toPlainWord(text)],
  );
}

/** The parameters that hold the paths it works on. */
export const PATH_PARAMETERS = ["Path", "LiteralPath", "FilePath"];
export const getPaths = (call: CmdletCall): Word[] => PATH_PARAMETERS.flatMap((name) => getWords(call, name));
export const getPathTexts = (call: CmdletCall): Text[] => PATH_PARAMETERS.flatMap((name) => getTexts(call, name));
