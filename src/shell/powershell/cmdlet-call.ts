import type { Word } from "../words/word.ts";
import type { ShellScope } from "../scope.ts";
import type { BoundArguments, GivenArgument } from "./binding.ts";
import type { Redirect } from "../command.ts";
import type { Cmdlet } from "./cmdlets.ts";
import type { Listing } from "./listing.ts";
import type { Text, Value } from "./texts.ts";
import { toLiteralPathWord, toPathWords, toPlainWord } from "./words.ts";

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

export interface GivenCommand {
  name: Text;
  args: readonly GivenArgument[];
  /** The words as the line has them, without quotes. */
  given: readonly Word[];
  redirects: readonly Redirect[];
  scope: ShellScope;
  flow: Flow;
}

/** One call of a cmdlet, and what a presenter may do. */
export interface CmdletCall extends GivenCommand {
  cmdlet: Cmdlet;
  bound: BoundArguments;
  emit: (words: readonly (string | Word)[], options?: EmitOptions) => void;
}

export const isSet = ({ bound }: CmdletCall, name: string): boolean => bound.switches.has(name);
export const getTexts = ({ bound }: CmdletCall, ...names: string[]): Text[] =>
  names.flatMap((name) => bound.values.get(name) ?? []);

export const getWords = (call: CmdletCall, ...names: string[]): Word[] =>
  names.flatMap((name) => {
    const { isPath } = call.cmdlet.parameters.find((one) => one.name === name) ?? {};
    return getTexts(call, name).flatMap((text) =>
      !isPath ? [toPlainWord(text)] : name === "LiteralPath" ? [toLiteralPathWord(text)] : toPathWords(text),
    );
  });

/** The parameters that hold the paths it works on. */
export const PATH_PARAMETERS = ["Path", "LiteralPath", "FilePath"];
export const getPaths = (call: CmdletCall): Word[] => getWords(call, ...PATH_PARAMETERS);
export const getPathTexts = (call: CmdletCall): Text[] => getTexts(call, ...PATH_PARAMETERS);
