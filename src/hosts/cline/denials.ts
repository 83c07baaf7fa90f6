/** The answer formats that deny a call of one tool by another input. */
export type DenialShape = "commands" | "files" | "queries" | "requests" | "editor" | "patch" | "refused";

/** What precedes the reason where the model reads it. */
export const DENIAL_PREFIX = "Denied by a hook, so this call did not run: ";

/** A path that can't exist: /dev/null has no files in it. */
const NOWHERE = "/dev/null/denied-by-a-hook";

/** The length up to which Cline repeats a command [shipped 3.0.65]; the whole reason is in the context. */
const shorten = (reason: string) => (reason.length > 150 ? `${reason.slice(0, 150)}…` : reason);

/**
 * Inputs with which a tool changes nothing and fails, in a way that does not count as a mistake of the model: after
 * three of those in a row Cline ends the run [seen 3.0.65, 2026-11-29]. They take the place of the denied call's.
 */
export const HARMLESS_INPUTS: Readonly<Record<DenialShape, (reason: string) => unknown>> = {
  // A program without a shell, which can't be started.
  commands: (reason) => ({ commands: [{ command: NOWHERE, args: [shorten(reason)] }] }),
  // A range that ends before it starts is refused before the file is looked at.
  files: (reason) => ({ files: [{ path: shorten(reason), start_line: 2, end_line: 1 }] }),
  // Not a valid regular expression, whatever follows.
  queries: (reason) => ({ queries: [`(?denied: ${shorten(reason)}`] }),
  // An address without a protocol that is fetched.
  requests: (reason) => ({ requests: [{ url: `denied:${shorten(reason)}`, prompt: "denied" }] }),
  editor: (reason) => ({ path: NOWHERE, insert_line: 1, new_text: shorten(reason) }),
  patch: (reason) => ({ input: `Denied: ${shorten(reason)}` }),
  // These tools need an object; their refusal counts as a mistake.
  refused: () => null,
};

const SHAPES: Readonly<Record<string, DenialShape>> = {
  run_commands: "commands",
  read_files: "files",
  search_codebase: "queries",
  fetch_web_content: "requests",
  editor: "editor",
  apply_patch: "patch",
  spawn_agent: "refused",
  ask_question: "refused",
  skills: "refused",
};

/** The answer format for a call of a tool: a server's or a plugin's tool might run with any input. */
export const getGateShape = (tool_name: unknown): DenialShape | "cancel" =>
  typeof tool_name === "string" && Object.hasOwn(SHAPES, tool_name) ? (SHAPES[tool_name] as DenialShape) : "cancel";
