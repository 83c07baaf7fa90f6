import type { ProgramRules } from "./pattern.ts";

const LOST = "changes that are not committed are lost; commit or stash them first";
const REWRITES = "it rewrites every commit";
const REMOTE = "what others have built on is gone from the remote";

export const gitRules: ProgramRules = {
  git: {
    "push --prune !-n|--dry-run": `it deletes branches there that are not here: ${REMOTE}`,
    "push -f|--force|--mirror !-n|--dry-run":
      "it overwrites history that others may have; push with --force-with-lease",
    "push ** +* !-n|--dry-run": "it overwrites history that others may have; push with --force-with-lease",
    "push -d|--delete <main> !-n|--dry-run": `it deletes <main>: ${REMOTE}`,
    "push -d|--delete ** v*.*|refs/tags/*|tag !-n|--dry-run": `it deletes a tag: ${REMOTE}`,
    "push :<main> !-n|--dry-run": `it deletes <main>: ${REMOTE}`,
    "push ** :v*.*|:refs/tags/* !-n|--dry-run": `it deletes a tag: ${REMOTE}`,
    "reset --hard|--merge ?changes": LOST,
    "checkout -f|--force ?changes": LOST,
    "checkout <tree> ?changes": LOST,
    "switch -f|--force|--discard-changes ?changes": LOST,
    "restore <tree> !-S|--staged ?changes": LOST,
    "restore -W|--worktree <tree> ?changes": LOST,
    "clean -f|--force <whole> !-n|--dry-run|-i|--interactive":
      "files that were never committed are lost; look at them first with git clean -n",
    "rm -r <tree> !--cached|-n|--dry-run": "it deletes <tree> with everything in it",
    "branch -D": "commits that are in no other branch are lost; delete with -d, which refuses that",
    "branch -d|--delete -f|--force":
      "commits that are in no other branch are lost; delete with -d alone, which refuses that",
    "stash drop|clear": "what is stashed is lost",
    "worktree remove -f|--force": LOST,
    "submodule deinit -f|--force": LOST,
    "filter-branch": REWRITES,
    "filter-repo !--analyze|--dry-run": REWRITES,
    "reflog expire|delete !-n|--dry-run": "commits that only the reflog knows can't be found again",
    "gc --prune=now|--prune=all": "commits that no branch holds are lost",
    "prune !-n|--dry-run": "commits that no branch holds are lost",
    "update-ref -d": "commits that only this reference holds are lost",
  },
  "bfg|bfg.jar": { "": REWRITES },
  gh: {
    "repo delete|archive": "the repository is gone for everybody",
    "release delete !--dry-run": "the release is gone for everybody",
  },
  glab: { "repo|project delete": "the repository is gone for everybody" },
};
