/** Answer formats that deny a call by replacing its input. */
export type DenialShape = "commands" | "files" | "queries" | "requests" | "editor" | "patch" | "refused";

/** The text before a denial's reason, which the model reads. */
export const DENIAL_PREFIX = "Denied by a hook, so this call did not run: ";

/** A path that can't exist, because /dev/null is not a directory. */
const IMPOSSIBLE_PATH = "/dev/null/denied-by-a-hook";

/**
 * Shortens a reason to the maximum length of a command that Cline repeats without truncating it [shipped 3.0.65]. The
 * context contains the whole reason.
 */
const shorten = (reason: string) => (reason.length > 150 ? `${reason.slice(0, 150)}…` : reason);

/**
 * Inputs that replace the input of a denied call. With these inputs, the tool fails without changing anything, and the
 * failure doesn't count as a mistake by the model. After three mistakes in a row, Cline ends the run [seen 3.0.65,
 * 2026-11-29].
 */
export const HARMLESS_INPUTS: Readonly<Record<DenialShape, (reason: string) => unknown>> = {
  // Cline runs this program without a shell, and the program doesn't exist.
  commands: (reason) => ({ commands: [{ command: IMPOSSIBLE_PATH, args: [shorten(reason)] }] }),
  // Cline rejects a range that ends before it starts, without opening the file.
  files: (reason) => ({ files: [{ path: shorten(reason), start_line: 2, end_line: 1 }] }),
  // This regular expression is invalid, whatever text follows.
  queries: (reason) => ({ queries: [`(?denied: ${shorten(reason)}`] }),
  // Cline doesn't fetch URLs with this protocol.
  requests: (reason) => ({ requests: [{ url: `denied:${shorten(reason)}`, prompt: "denied" }] }),
  editor: (reason) => ({ path: IMPOSSIBLE_PATH, insert_line: 1, new_text: shorten(reason) }),
  patch: (reason) => ({ input: `Denied: ${shorten(reason)}` }),
  // These tools require an object, so Cline rejects `null`. A rejected input counts as a mistake by the model.
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
 * Returns the answer format that denies a tool's calls. MCP and plugin tools might run with any input, so only `cancel`
 * stops them.
 */
export const getGateShape = (tool_name: unknown): DenialShape | "cancel" =>
  typeof tool_name === "string" && Object.hasOwn(SHAPES, tool_name) ? (SHAPES[tool_name] as DenialShape) : "cancel";
