import type { HookEntry } from "../../core/hook.ts";
import type { Finding } from "../../core/setup.ts";
import { note, red } from "../../hosts/check.ts";
import { listed } from "../list/list.ts";

const CORRECT = "correct it at that place; bridge-hooks list shows every setting, and whose it is";

/** What is wrong with the hooks of this executable, and with the config files of hooks, for a session that works in a folder. */
export async function settingsFindings(entries: readonly HookEntry[], cwd: string): Promise<Finding[]> {
  const { hooks, config } = await listed({ entries, files: new Map() }, cwd);
  const broken = config.filter(({ problem }) => problem !== undefined);
  const inFiles = broken.map(({ problem = "", scope }) =>
    red(
      "settings-unreadable",
      problem,
      scope === "project"
        ? "nothing of this file counts"
        : "hooks that have settings fail at every call; those that deny then stop all of them",
      CORRECT,
    ),
  );
  const inHooks = hooks.flatMap(({ name, problem, on_error }) => {
    const own = (problem ?? "").split("\n").filter((line) => line && !broken.some((file) => file.problem === line));
    const means =
      on_error === "deny"
        ? "it fails, and stops every call that it is asked about"
        : "it fails at every call, and what it would stop may pass";
    return own.map((line) => red("hook-fails", `the hook "${name}": ${line}`, means, CORRECT));
  });
  const unknown = config.flatMap(({ file, unknown: names }) =>
    names.map(({ name, near }) =>
      note(
        "settings-unknown",
        `${file}: hooks.${name}: no hook here has this name`,
        "these settings are nobody's, unless another executable has such a hook",
        near === undefined ? "bridge-hooks list shows the hooks" : `did you mean ${near}?`,
      ),
    ),
  );
  const untrusted = hooks
    .filter(({ ignored }) => ignored.length > 0)
    .map(({ name, ignored }) =>
      note(
        "settings-untrusted",
        `the project's config file sets ${ignored.join(", ")} of the hook "${name}"`,
        "a project has no say in that: else whatever is cloned could loosen a hook",
        'if you trust the project, name its folder in your own config file: "trusted": ["~/code/project"]',
      ),
    );
  return [...inFiles, ...inHooks, ...unknown, ...untrusted];
}
