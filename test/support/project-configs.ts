import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a session starts, where the config that turns hooks off is, and whether the user's hooks still run. */
type ConfigOutcome = readonly [start: string, folder: string, outcome: "off" | "holds"];

interface ConfigCase {
  host: string;
  /**
   * A config file in the project that turns hooks off: its path relative to the project, with its contents in `text`.
   */
  file: string;
  text: string;
  outcomes: readonly ConfigOutcome[];
  /** Releases that behave this way, as a semver range. Defaults to all. */
  releases?: string;
}

/** A linked working tree next to the project. */
export const LINKED = "../tree";
const SUBDIRECTORY_OUTCOMES: readonly ConfigOutcome[] = [
  ["a/b", "a/b", "off"],
  ["a/b", "a/b/c", "holds"],
];

/** What real hosts do, in the release that the evidence names. doctor must agree. */
export const CONFIG_CASES: readonly ConfigCase[] = [
  {
    host: "claude",
    file: ".claude/settings.json",
    text: '{"disableAllHooks":true}',
    outcomes: [
      ["a/b", ".", "holds"],
      ["a/b", "a", "holds"],
      ...SUBDIRECTORY_OUTCOMES,
      [`${LINKED}/a`, ".", "holds"],
      [`${LINKED}/a`, `${LINKED}/a`, "off"],
    ],
  },
  {
    host: "claude",
    file: ".claude/settings.local.json",
    text: '{"disableAllHooks":true}',
    outcomes: [
      ["a/b", ".", "off"],
      ["a/b", "a", "holds"],
      ...SUBDIRECTORY_OUTCOMES,
      [`${LINKED}/a`, ".", "off"],
      [`${LINKED}/a`, LINKED, "holds"],
    ],
    releases: ">=2.1.330",
  },
  {
    host: "codex",
    file: ".codex/config.toml",
    text: "[features]\nhooks = false\n",
    outcomes: [
      ["a/b", ".", "off"],
      ["a/b", "a", "off"],
      ...SUBDIRECTORY_OUTCOMES,
      [`${LINKED}/a`, ".", "holds"],
      [`${LINKED}/a`, LINKED, "off"],
      [`${LINKED}/a`, `${LINKED}/a`, "off"],
    ],
  },
  {
    host: "gemini",
    file: ".gemini/settings.json",
    text: '{"hooksConfig":{"enabled":false}}',
    outcomes: [["a/b", ".", "holds"], ["a/b", "a", "holds"], ...SUBDIRECTORY_OUTCOMES],
  },
  {
    host: "droid",
    file: ".factory/hooks.json",
    text: '{"hooksDisabled":true}',
    outcomes: [
      ["a/b", ".", "off"],
      ["a/b", "a", "off"],
      ...SUBDIRECTORY_OUTCOMES,
      [`${LINKED}/a`, ".", "holds"],
      [`${LINKED}/a`, LINKED, "off"],
      [`${LINKED}/a`, `${LINKED}/a`, "off"],
    ],
  },
  {
    host: "qwen",
    file: ".qwen/settings.json",
    text: '{"disableAllHooks":true}',
    outcomes: [["a/b", ".", "holds"], ["a/b", "a", "holds"], ...SUBDIRECTORY_OUTCOMES],
  },
  {
    host: "copilot",
    file: ".github/copilot/settings.json",
    text: '{"disableAllHooks":true}',
    outcomes: [
      ["a/b", ".", "holds"],
      ["a/b", "a", "holds"],
      ...SUBDIRECTORY_OUTCOMES,
      [`${LINKED}/a`, ".", "holds"],
      [`${LINKED}/a`, `${LINKED}/a`, "off"],
    ],
  },
];

/** Files of a linked working tree next to a project, keyed by path relative to the project. */
export const LINKED_TREE_FILES: Readonly<Record<string, string>> = {
  ".git/worktrees/tree/HEAD": "ref: refs/heads/tree\n",
  ".git/worktrees/tree/commondir": "../..\n",
  ".git/worktrees/tree/gitdir": "../../../../tree/.git\n",
  [`${LINKED}/.git`]: "gitdir: ../project/.git/worktrees/tree\n",
};

export function writeLinkedTree(project: string): void {
  for (const [path, text] of Object.entries(LINKED_TREE_FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}
