/** Files that a machine or a person can't do without: their whole paths, and those in a home folder or a repository. */
export const SYSTEM_FILES =
  /^\/(etc\/(passwd|shadow|group|gshadow|sudoers|fstab|crypttab|hosts|ssh\/.+)|boot\/.+|proc\/sysrq-trigger)$/;
export const HOME_FILES =
  /^\.(ssh(\/(?!known_hosts).+)?|gnupg(\/.+)?|bashrc|bash_profile|profile|zshrc|zprofile|zshenv|gitconfig)$/;
export const REPOSITORY_FILES =
  /^\.git\/(?!.*\.lock$)(HEAD|config|packed-refs|(refs|objects|logs)(\/.+)?|worktrees(\/[^/]+)?)$/;
/** What a bare repository is made of. */
export const BARE_PARTS: ReadonlySet<string> = new Set(["objects", "refs", "packed-refs", "HEAD"]);
