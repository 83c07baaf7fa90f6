import type { Word } from "../words/word.ts";
import type { ShellScope } from "../scope.ts";
import type { BoundArguments, CmdletArgument } from "./parameter-binding.ts";
import type { Redirect } from "../command.ts";
import type { Cmdlet } from "./cmdlets.ts";
import type { FileListing } from "./file-listing.ts";
import type { Text, Value } from "./text-values.ts";
import { toLiteralPathWord, toPathWords, toPlainWord } from "./words.ts";

/** Data that a pipeline element passes to the next element. */
export interface PipelineFlow {
  isPiped: boolean;
  values: Value;
  listing?: FileListing;
}

export interface EmitOptions {
  stdin?: string | undefined;
  /** Whether the command receives more arguments at run time. */
  more?: boolean;
}

export interface CommandCall {
  name: Text;
  args: readonly CmdletArgument[];
  /** Words as written in the command, but without quotes. */
  originalWords: readonly Word[];
  redirects: readonly Redirect[];
  scope: ShellScope;
  flow: PipelineFlow;
}

/** A cmdlet call with a function that adds commands to the result. */
export interface CmdletCall extends CommandCall {
  cmdlet: Cmdlet;
  boundArguments: BoundArguments;
  emit: (words: readonly (string | Word)[], options?: EmitOptions) => void;
}

export const isSet = ({ boundArguments }: CmdletCall, name: string): boolean => boundArguments.switches.has(name);
export const getTexts = ({ boundArguments }: CmdletCall, ...names: string[]): Text[] =>
  names.flatMap((name) => boundArguments.values.get(name) ?? []);

export const getWords = (call: CmdletCall, ...names: string[]): Word[] =>
  names.flatMap((name) => {
    const { isPath } = call.cmdlet.parameters.find((parameter) => parameter.name === name) ?? {};
    return getTexts(call, name).flatMap((text) =>
      !isPath ? [toPlainWord(text)] : name === "LiteralPath" ? [toLiteralPathWord(text)] : toPathWords(text),
    );
  });

/** Parameters for the paths that a cmdlet operates on. */
export const PATH_PARAMETERS = ["Path", "LiteralPath", "FilePath"];
export const getPaths = (call: CmdletCall): Word[] => getWords(call, ...PATH_PARAMETERS);
export const getPathTexts = (call: CmdletCall): Text[] => getTexts(call, ...PATH_PARAMETERS);
