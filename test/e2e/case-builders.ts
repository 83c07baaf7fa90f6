import { join } from "node:path";
import { findFirstProblem, findRunProblem, hasFired, hasMarker, hasReachedModel, type HostCase } from "./driver.ts";
import type { ToolUse } from "./model.ts";
import type { HostRun } from "./run.ts";

// Cases shared by several drivers.

/** Script that pushes a commit to a bare repository next to the project, then amends it locally. */
export const PUSHED = `git init -q --bare ../remote.git
git() { command git -c user.name=a -c user.email=a@example.com "$@"; }
git commit -q --allow-empty -m one && git push -q ../remote.git HEAD:refs/heads/topic
git commit -q --amend --allow-empty -m two
`;
/** Returns the subject of the latest commit on the remote branch. */
export const readRemote = ({ place }: HostRun): string =>
  Bun.spawnSync(["git", "--git-dir", join(place.run, "remote.git"), "log", "--format=%s", "topic"]).stdout.toString();

const script = (...calls: ToolUse[]) => ({ main: [...calls.map((call) => ({ calls: [call] })), { text: "FINAL" }] });

/** Builds a case with a force push that would overwrite a commit in a real repository. */
export const buildPushCase = (bash: (command: string) => ToolUse): HostCase => ({
  name: "the starter hooks prevent a forced push to a real remote",
  setup: {
    script: script(bash("sh push.sh"), bash("git push --force ../remote.git HEAD:refs/heads/topic")),
    files: { "push.sh": PUSHED },
  },
  executable: "product",
  judge: (run) =>
    findFirstProblem(
      findRunProblem(run),
      readRemote(run) !== "one\n" && `the remote has ${readRemote(run) || "nothing"}`,
      !hasReachedModel(run, "--force-with-lease") && "the model did not get the suggestion",
    ),
});

/** Builds a case in which the hook is still running when the host stops waiting for it. */
export const buildLateHookCase = (bash: (command: string) => ToolUse): HostCase => ({
  name: "limit: if a hook exceeds its entry's timeout, the call is allowed",
  setup: {
    script: script(bash("echo original > marker.txt")),
    events: ["PreToolUse"],
    flags: "--timeout-ms 15000 --on-error deny",
    entry: { timeout: 1 },
    plan: [{ event: "PreToolUse", way: "hang" }],
  },
  judge: (run) =>
    findFirstProblem(
      findRunProblem(run),
      !hasFired(run, "PreToolUse") && "the executable did not run",
      !hasMarker(run) && "the call did not take place: the limit no longer applies",
    ),
});
