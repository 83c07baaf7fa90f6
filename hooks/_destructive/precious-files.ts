import { getStartupPaths, toPathPattern } from "../_startup-places.ts";

const [kept, created, replaced] = [getStartupPaths("kept"), getStartupPaths("created"), getStartupPaths("replaced")];

/**
 * Essential files, as absolute paths, paths in home, and paths in a repository. `*` matches any string, and `+` matches
 * a file name.
 */
const SYSTEM_PATHS = [
  ...["/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/fstab", "/etc/crypttab"],
  ...["/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/pam.d/*", "/etc/default/grub"],
  ...["/etc/hosts", "/etc/ssh/*", "/boot/*", "/proc/sysrq-trigger", ...kept.system],
  ...["/c:/windows/system32/drivers/etc/hosts", "/mnt/c/Windows/System32/drivers/etc/hosts"],
];
const HOME_PATHS = [".ssh", ".ssh/*", ".gnupg", ".gnupg/*", ...kept.home, ".gitconfig"];
const REPOSITORY_PATHS = [
  ...[".git/HEAD", ".git/config", ".git/packed-refs", ".git/refs", ".git/refs/*", ".git/objects", ".git/objects/*"],
  ...[".git/logs", ".git/logs/*", ".git/worktrees", ".git/worktrees/+", ...kept.repository],
];

/** Essential paths and paths that must not be overwritten, with `*` as the only wildcard. */
export const PRECIOUS_PATHS: readonly string[] = [
  ...[...SYSTEM_PATHS, ...HOME_PATHS, ...REPOSITORY_PATHS],
  ...[created, replaced].flatMap(({ system, home, repository }) => [...system, ...home, ...repository]),
].map((path) => path.replaceAll("+", "*"));

export const SYSTEM_FILES = new RegExp(`^${toPathPattern(SYSTEM_PATHS)}`);
export const HOME_FILES = new RegExp(`^(?!\\.ssh/known_hosts)${toPathPattern(HOME_PATHS)}`);
export const REPOSITORY_FILES = new RegExp(`^(?!.*\\.lock$)${toPathPattern(REPOSITORY_PATHS)}`);

/**
 * Startup files that must not be created or replaced, followed by startup files that can be created but not replaced.
 */
export const CREATION_PROTECTED_FILES = {
  system: new RegExp(`^${toPathPattern(created.system)}`),
  // Windows file names are case-insensitive, so they are compared in lowercase.
  home: new RegExp(`^${toPathPattern(created.home)}`, "i"),
};
export const REPLACEMENT_PROTECTED_FILES = {
  system: new RegExp(`^${toPathPattern(replaced.system)}`),
  repository: new RegExp(`^${toPathPattern(replaced.repository)}`),
};
/**
 * Programs used by system scripts. Newer versions belong in a different directory, so that those scripts keep working.
 */
export const SYSTEM_PROGRAMS =
  /^(?:\/usr)?\/bin\/(?:python3?|perl|sudo|env|bash|sh|systemctl|apt|apt-get|dpkg|dnf|yum|rpm)$/;
/** The entries of a bare repository. */
export const BARE_REPOSITORY_ENTRIES: ReadonlySet<string> = new Set(["objects", "refs", "packed-refs", "HEAD"]);
