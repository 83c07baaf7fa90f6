/** A script, or what stands in `{…}`, `(…)`, `$(…)` and `@(…)`. */
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
  /** One of the blocks surely runs. */
  isComplete?: true;
  /** What `foreach` goes over, and the variable that holds an item. */
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
  /** `&` or `.` before the name; empty: none. */
  call: string;
  name: Argument;
  args: readonly Argument[];
  redirects: readonly Redirection[];
}

export interface Redirection {
  /** As the line writes it: `>`, `2>>`, `*>`, `2>&1`. */
  operator: string;
  target?: Argument;
}

/** A word of a command, or several that commas separate. */
export interface Argument {
  items: readonly Expression[];
  source: string;
}

export type Piece =
  /** `isBare`: neither quoted nor escaped. */
  { type: "text"; text: string; isBare?: true } | { type: "variable"; name: string } | { type: "script"; body: Script };

export type Expression =
  | { type: "word"; pieces: readonly Piece[] }
  | { type: "variable"; name: string }
  /** `@name`: the arguments that a variable holds. */
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
