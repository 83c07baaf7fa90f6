/** Answer formats that deny a call by replacing its input. */
export type DenialShape = "commands" | "files" | "queries" | "requests" | "editor" | "patch" | "refused";

/** Prefix of a denial's reason, read by the model. */
export const DENIAL_PREFIX = "Denied by a hook, so this call did not run: ";

/** A path that can't exist, because /dev/null is not a directory. */
const NONEXISTENT_PATH = "/dev/null/denied-by-a-hook";

/**
 * Shortens a reason so that it fits in a command that Cline repeats in full [shipped 3.0.65]. The context contains the
 * whole reason.
 */
const shorten = (reason: string) => (reason.length > 150 ? `${reason.slice(0, 150)}…` : reason);

/**
 * Replacement inputs for denied calls. They make the tool fail without changing anything and without counting as a
 * mistake by the model. After three mistakes in a row, Cline ends the run [seen 3.0.65, 2026-11-29].
 */
export const HARMLESS_INPUTS_BY_SHAPE: Readonly<Record<DenialShape, (reason: string) => unknown>> = {
  // The program doesn't exist, and Cline doesn't use a shell to run it.
  commands: (reason) => ({ commands: [{ command: NONEXISTENT_PATH, args: [shorten(reason)] }] }),
  // Cline rejects a range that ends before it starts, without opening the file.
  files: (reason) => ({ files: [{ path: shorten(reason), start_line: 2, end_line: 1 }] }),
  // This regular expression is invalid no matter what follows.
  queries: (reason) => ({ queries: [`(?denied: ${shorten(reason)}`] }),
  // Cline doesn't fetch URLs with this protocol.
  requests: (reason) => ({ requests: [{ url: `denied:${shorten(reason)}`, prompt: "denied" }] }),
  editor: (reason) => ({ path: NONEXISTENT_PATH, insert_line: 1, new_text: shorten(reason) }),
  patch: (reason) => ({ input: `Denied: ${shorten(reason)}` }),
  // These tools require an object, so Cline rejects `null`, although it counts the rejection as a mistake by the model.
  refused: () => null,
};

const DENIAL_SHAPES: Readonly<Record<string, DenialShape>> = {
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
 * Returns the answer format for denying a tool's calls. MCP and plugin tools might accept any input, so only `cancel`
 * stops them.
 */
export const getGateShape = (tool_name: unknown): DenialShape | "cancel" =>
  typeof tool_name === "string" && Object.hasOwn(DENIAL_SHAPES, tool_name)
    ? (DENIAL_SHAPES[tool_name] as DenialShape)
    : "cancel";
