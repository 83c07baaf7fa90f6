/** A script, or the contents of `{…}`, `(…)`, `$(…)` or `@(…)`. */
export type Script = readonly Statement[];

export type Statement =
  | { type: "pipeline"; elements: readonly PipelineElement[] }
  | { type: "assignment"; target: Expression; operator: string; value: Statement }
  | Control
  | { type: "function"; name: string; definition: FunctionBody }
  | { type: "parameters"; parameters: readonly Parameter[] };

export interface Control {
  type: "control";
  keyword: string;
  conditions: Script[];
  bodies: Script[];
  /** Whether one of the blocks always runs. */
  isComplete?: true;
  /** List of a `foreach` loop, and the variable for its items. */
  list?: Script;
  name?: string;
}

export interface Parameter {
  name: string;
  value?: Script;
}

export interface FunctionBody {
  parameters: readonly Parameter[];
  body: Script;
}

export type PipelineElement =
  CommandElement | { type: "expression"; of: Expression; redirects: readonly Redirection[] };

export interface CommandElement {
  type: "command";
  /** Call operator `&` or `.` before the name. Empty if there is none. */
  call: string;
  name: Argument;
  args: readonly Argument[];
  redirects: readonly Redirection[];
}

export interface Redirection {
  /** Operator as written: `>`, `2>>`, `*>`, `2>&1`. */
  operator: string;
  target?: Argument;
}

/** An argument or a comma-separated list of arguments. */
export interface Argument {
  items: readonly Expression[];
  source: string;
}

export type WordPart =
  /** `isBare` is true for text that is neither quoted nor escaped. */
  { type: "text"; text: string; isBare?: true } | { type: "variable"; name: string } | { type: "script"; body: Script };

export type Expression =
  | { type: "word"; pieces: readonly WordPart[] }
  | { type: "variable"; name: string }
  /** `@name` expands to the arguments stored in a variable. */
  | { type: "splat"; name: string }
  /** `(…)`, `$(…)`, `@(…)`. */
  | { type: "script"; body: Script }
  | { type: "block"; definition: FunctionBody }
  | { type: "table"; entries: readonly { key: Expression; value: Script }[] }
  | { type: "type"; name: string }
  | { type: "cast"; name: string; of: Expression }
  | { type: "list"; items: readonly Expression[] }
  | { type: "unary"; operator: string; of: Expression }
  | { type: "binary"; operator: string; left: Expression; right: Expression }
  | { type: "index"; of: Expression; index: Expression }
  | { type: "member"; of: Expression; name: Expression; isStatic: boolean; args?: readonly Expression[] };
