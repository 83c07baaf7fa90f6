/** Answer formats that deny a tool's call by replacing its input. */
export type DenialShape = "commands" | "files" | "queries" | "requests" | "editor" | "patch" | "refused";

/** Precedes the reason of a denial that the model reads. */
export const DENIAL_PREFIX = "Denied by a hook, so this call did not run: ";

/** A path that can't exist, because /dev/null is not a directory. */
const IMPOSSIBLE_PATH = "/dev/null/denied-by-a-hook";

/**
 * Shortens a reason to the length up to which Cline repeats a command [shipped 3.0.65]. The context contains the whole
 * reason.
 */
const shorten = (reason: string) => (reason.length > 150 ? `${reason.slice(0, 150)}…` : reason);

/**
 * Inputs that replace a denied call's. With them the tool changes nothing and fails, in a way that doesn't count as a
 * mistake of the model; after three mistakes in a row Cline ends the run [seen 3.0.65, 2026-11-29].
 */
export const HARMLESS_INPUTS: Readonly<Record<DenialShape, (reason: string) => unknown>> = {
  // A program that can't be started, run without a shell.
  commands: (reason) => ({ commands: [{ command: IMPOSSIBLE_PATH, args: [shorten(reason)] }] }),
  // Cline rejects a range that ends before it starts without opening the file.
  files: (reason) => ({ files: [{ path: shorten(reason), start_line: 2, end_line: 1 }] }),
  // An invalid regular expression, whatever follows.
  queries: (reason) => ({ queries: [`(?denied: ${shorten(reason)}`] }),
  // A URL with a protocol that Cline doesn't fetch.
  requests: (reason) => ({ requests: [{ url: `denied:${shorten(reason)}`, prompt: "denied" }] }),
  editor: (reason) => ({ path: IMPOSSIBLE_PATH, insert_line: 1, new_text: shorten(reason) }),
  patch: (reason) => ({ input: `Denied: ${shorten(reason)}` }),
  // These tools require an object, and a rejected input counts as a mistake.
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

/**
 * Returns the answer format for a tool's gate. Tools of MCP servers and plugins might run with any input, so only
 * `cancel` stops them.
 */
export const getGateShape = (tool_name: unknown): DenialShape | "cancel" =>
  typeof tool_name === "string" && Object.hasOwn(SHAPES, tool_name) ? (SHAPES[tool_name] as DenialShape) : "cancel";
