import { search } from "./files.ts";
import type { Program, ProgramRows } from "./program.ts";

const noFiles: Program = { files: {} };
const readsFiles: Program = { files: { operands: "read" } };
const list: Program = { files: { operands: "list" } };
const write: Program = { files: { operands: "write" } };
const revisions: Program = {
  options: "S:G:L:n: --format= --pretty= --author= --grep= --since= --until=",
  writes: "--output",
  files: { operands: "read" },
};

/** Options of git and its subcommands, such as "git add". */
export const GIT_ROWS: ProgramRows = {
  git: {
    options: " --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source=",
    folder: "-C",
    settings: "-c",
    shell:
      "--upload-pack --receive-pack --exec --extcmd --open-files-in-pager --env-filter --tree-filter " +
      "--index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter",
    commands: { commandPrefix: /^ext::/ },
  },
  "git > add stage annotate cat-file hash-object am": readsFiles,
  "git > status ls-files ls-tree check-ignore check-attr": list,
  "git > rev-parse branch remote fetch pull merge cherry-pick revert describe": noFiles,
  "git > rebase": { options: "iqnvrs:X:C: --onto= --strategy= --strategy-option=", shell: "-x --exec", files: {} },
  "git > bisect": { files: {}, commands: { runs: [{ subcommands: "run" }] } },
  "git > difftool": { options: "dgyt: --tool= --no-prompt --dir-diff", shell: "-x --extcmd" },
  "git > send-email": { shell: "--to-cmd --cc-cmd --header-cmd --sendmail-cmd" },
  "git > shortlog help version": noFiles,
  "git > reset": { options: "hqNpU: --hard --keep --merge --mixed --no-refresh --patch --quiet --soft", files: {} },
  "git > gc": {
    options: "hq --aggressive --auto --force --keep-largest-pack --no-cruft --no-prune --prune --quiet",
    files: {},
  },
  "git > submodule": {
    options: "q --recursive --quiet",
    files: {},
    commands: { runs: [{ subcommands: "foreach", isJoined: true }] },
  },
  "git > push": {
    options:
      "46dfnquvho: --all --atomic --delete --dry-run --follow-tags --force --mirror --no-dry-run --no-verify --porcelain --progress --prune --quiet --set-upstream --tags --verbose --push-option= --repo=",
    files: {},
  },
  "git > reflog": { options: " --expire=", files: {} },
  "git > switch": {
    options:
      "dfmqtc:C: --create= --force-create= --orphan= --conflict= --detach --discard-changes --force --guess --merge --quiet --track --no-track",
    files: {},
  },
  "git > diff show blame": revisions,
  "git > log": { ...revisions, files: { operands: "list" } },
  "git > grep": search,
  "git > rm": {
    options: "fnqr --dry-run --force --ignore-unmatch --quiet --sparse",
    files: { operands: "write", listOnlyOptions: ["--cached"] },
  },
  "git > mv bundle init worktree": write,
  "git > checkout": {
    options:
      "dfmpqtb:B: --orphan= --conflict= --pathspec-from-file= --detach --force --guess --merge --ours --patch --quiet --theirs --track --no-track",
    files: { operands: "write" },
  },
  "git > restore": {
    options: "mpqWs: --merge --ours --overlay --patch --quiet --theirs --worktree --source=",
    files: { operands: "write", listOnlyOptions: ["--staged", "-S"] },
  },
  "git > clean": {
    options: "dfhinqxXe: --dry-run --force --interactive --no-dry-run --quiet --exclude=",
    files: { operands: "write" },
  },
  "git > checkout-index": {
    options: "afnquz --all --force --index --no-create --quiet --stdin --temp --stage=",
    fills: "--prefix",
    files: { operands: "read" },
  },
  "git > stash": {
    options:
      "akpquSm: --all --include-untracked --keep-index --no-keep-index --patch --quiet --staged --message= --pathspec-from-file=",
    files: {},
  },
  "git > apply": { options: " --exclude= --include=", writes: "--directory", files: { operands: "read" } },
  "git > commit": {
    options:
      "aeinopqsvzm:C:c: --all --allow-empty --allow-empty-message --amend --dry-run --edit --include --interactive --long --no-edit --no-gpg-sign --no-verify --null --only --patch --porcelain --quiet --reset-author --short --signoff --verbose --message= --author= --cleanup= --date= --fixup= --squash= --trailer=",
    reads: "-F -t --file --template",
    files: { operands: "read" },
  },
  "git > tag": { options: "m: --message=", reads: "-F --file", files: {} },
  "git > archive": { writes: "-o --output", files: {} },
  "git > clone": {
    options: "b:o:c: --branch= --origin= --depth=",
    shell: "-u --upload-pack",
    files: { operands: "read", lastOperand: "write" },
  },
  "git > config": { writes: "-f --file", files: {} },
};
