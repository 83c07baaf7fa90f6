import { type Concerns, guardedConcerns } from "bridge-hooks";

/** Parts of the paths that `_protect-startup.ts` takes for files which are run by themselves, in lower case. */
const STARTUP_PIECES = [
  ...".bash .profile profile. .zsh .zprofile .zlog kshrc cshrc .login .logout .xinitrc .xprofile .xsession .envrc".split(
    " ",
  ),
  ...".tmux.conf .screenrc .gitconfig .inputrc .vimrc config.fish crontab /profile rc.local bash.bashrc zshrc zshenv".split(
    " ",
  ),
  ..."/conf.d/ /functions/ /profile.d/ /cron. /crontabs/ /hooks/ .husky githooks git-hooks /systemd/".split(" "),
  ..."/launchagents/ /launchdaemons/ /autostart/ /init.d/ /bin/ /sbin/ git/config".split(" "),
];

/**
 * Programs that can affect a file by the folder that it is in, or by what another program finds (`_protect.ts`,
 * `_protect-programs.ts`). All others have to name the file.
 */
const FOLDER_PROGRAMS = [
  ..."rm rmdir unlink shred srm wipe rimraf trash trash-put rmtrash remove-item ri rd del erase rename".split(" "),
  ..."mv move move-item rename-item ren cp ln link ditto copy-item rsync chmod chown chgrp".split(" "),
  ..."fd fdfind xargs parallel zip unzip 7z tar bsdtar gtar gnutar cpio wget patch".split(" "),
  ..."git clone,git worktree,git submodule,git mv,gio move,gio rename,gio remove,gio trash".split(","),
  ..."find *-delete*,find *-exec*,find *-ok*,find *-fprint*,find *-fls*".split(","),
];

const { words, texts, variables } = guardedConcerns();

/** What a call has to mention to concern `protect-hooks`; the build computes it. */
export const CONCERNS: Concerns = {
  words: [...words, ...FOLDER_PROGRAMS],
  texts: [...texts, ...STARTUP_PIECES],
  variables,
  narrowedBy: ["allow"],
  ruleCategories: ["hooks"],
};
