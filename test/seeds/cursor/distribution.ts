import { deepEqual, match, ok } from "node:assert/strict";
import { buildMdmFiles, DEFAULT_PROGRAM_PATHS } from "../../../src/cli/mdm/mdm.ts";
import { cursor as host } from "../../../src/hosts/cursor/index.ts";
import { createHookEntry } from "../../support/homes.ts";
import type { ClaimSection } from "../claim.ts";
import { installed } from "./installed.ts";
import { expectValidConfig } from "./shared.ts";

/** The files that an administrator ships. */
const pack = () =>
  buildMdmFiles(
    { programs: DEFAULT_PROGRAM_PATHS, on_error: "deny", wanted: [{ event: "PreToolUse" }, { event: "Stop" }] },
    [host],
  );

const shipped = (system: "linux" | "macos" | "windows", path: string) => async () => {
  const { goes = "", text = "" } = (await pack()).find((file) => file.path === `cursor/${system}/hooks.json`) ?? {};
  ok(goes.includes(`\`${path}\``), goes);
  expectValidConfig(text);
  const { hooks } = JSON.parse(text) as { hooks: { stop: [{ command: string }] } };
  ok(hooks.stop[0].command.replaceAll("'", "").startsWith(DEFAULT_PROGRAM_PATHS[system]), text);
};

export const distribution: ClaimSection[] = [
  {
    title: "Distribution",
    claims: [
      {
        says: "Hooks are shared by project files, by MDM, or by Cursor's cloud",
        check: async () => {
          deepEqual(
            (await host.setup())
              .listConfigFiles({ roots: ["/p"], home: "/h", platform: "linux", env: {} })
              .map(({ scope }) => scope),
            ["managed", "user", "project"],
          );
          deepEqual(
            (await pack()).map(({ path }) => path).filter((path) => path.startsWith("cursor/")),
            ["linux", "macos", "windows"].map((system) => `cursor/${system}/hooks.json`),
          );
        },
      },
      {
        says: "A project's `hooks.json` is committed with it",
        check: () =>
          installed({ scope: "project" }, ({ by_hand }) => {
            match(
              by_hand.join("\n"),
              /everyone who works on the project needs the executable at .*; with --bin bridge-hooks it is the one on their PATH/,
            );
          }),
      },
      {
        says: "It loads by itself, in workspaces that are trusted",
        check: () =>
          installed({ scope: "project", entries: [createHookEntry(["Stop"])] }, ({ by_hand }) =>
            match(by_hand.join("\n"), /only in a workspace that you trust/),
          ),
      },
      {
        says: "Cloud agents load it when they work on the repository",
        async check() {
          const lines = (await host.setup()).listManualSteps("project", { program: "bridge-hooks", on_error: "allow" });
          match(
            lines.join("\n"),
            /where their image lacks the executable bridge-hooks on its PATH, every call goes on unguarded/,
          );
        },
      },
      {
        says: "MDM places files in each user's home directory",
        check: () => installed({ scope: "user" }, ({ path }) => match(path, /\/\.cursor\/hooks\.json$/)),
      },
      {
        says: "Scripts live in `~/.cursor/hooks/` or beside the file",
        differs:
          "there is one executable, at the path in the entry; `mdm` takes the path with `--bin-path` [docs docs/operate/install.md]",
        check: async () =>
          match(
            (await pack()).find(({ path }) => path === "README.md")?.text ?? "",
            /\/opt\/bridge-hooks\/bridge-hooks/,
          ),
      },
      {
        says: "MDM places the system-wide file on macOS",
        check: shipped("macos", "/Library/Application Support/Cursor/hooks.json"),
      },
      { says: "MDM places the system-wide file on Linux", check: shipped("linux", "/etc/cursor/hooks.json") },
      {
        says: "MDM places the system-wide file on Windows",
        check: shipped("windows", "C:\\ProgramData\\Cursor\\hooks.json"),
      },
      {
        says: "Whoever runs the MDM deploys and updates the files",
        check: async () =>
          match((await pack()).find(({ path }) => path === "README.md")?.text ?? "", /A new executable later/),
      },
      {
        says: "Cursor's cloud syncs hooks to all members of a team every thirty minutes",
        missing:
          "that does not deliver an executable: ship it first, then paste the entries of `bridge-hooks mdm` into the dashboard",
      },
      {
        says: "Cursor's cloud can target operating systems",
        missing:
          "the dashboard does that; `bridge-hooks mdm` writes a set of entries for each system, to be pasted there",
        check: async () =>
          deepEqual(
            (await pack()).filter(({ path }) => path.startsWith("cursor/")).map(({ path, os }) => [path, os]),
            ["linux", "macos", "windows"].map((system) => [`cursor/${system}/hooks.json`, [system]]),
          ),
      },
    ],
  },
];
