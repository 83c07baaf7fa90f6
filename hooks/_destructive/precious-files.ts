/**
 * Files that a machine or a person can't do without: by their whole paths, and in a home folder or a repository. `*`
 * stands for any text, `+` for any name.
 */
const SYSTEM_PATHS =
  "/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/fstab /etc/crypttab /etc/hosts /etc/ssh/* /boot/* " +
  "/proc/sysrq-trigger";
const HOME_PATHS = ".ssh .ssh/* .gnupg .gnupg/* .bashrc .bash_profile .profile .zshrc .zprofile .zshenv .gitconfig";
const REPOSITORY_PATHS =
  ".git/HEAD .git/config .git/packed-refs .git/refs .git/refs/* .git/objects .git/objects/* .git/logs .git/logs/* " +
  ".git/worktrees .git/worktrees/+";

/** The same paths, with `*` for both. */
export const PRECIOUS_PATHS: readonly string[] = `${SYSTEM_PATHS} ${HOME_PATHS} ${REPOSITORY_PATHS}`
  .replaceAll("+", "*")
  .split(" ");

const SIGNS: Readonly<Record<string, string>> = { ".": "\\.", "*": ".+", "+": "[^/]+", " ": "|" };
const toSource = (paths: string): string => `(?:${paths.replace(/[.*+ ]/g, (sign) => SIGNS[sign] as string)})$`;

export const SYSTEM_FILES = new RegExp(`^${toSource(SYSTEM_PATHS)}`);
export const HOME_FILES = new RegExp(`^(?!\\.ssh/known_hosts)${toSource(HOME_PATHS)}`);
export const REPOSITORY_FILES = new RegExp(`^(?!.*\\.lock$)${toSource(REPOSITORY_PATHS)}`);
/** What a bare repository is made of. */
export const BARE_PARTS: ReadonlySet<string> = new Set(["objects", "refs", "packed-refs", "HEAD"]);
