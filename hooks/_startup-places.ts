/**
 * Files that determine what runs the next time a shell, session, machine, or git command starts. In a path, `*` matches
 * any text, and `+` matches a path segment or part of one.
 *
 * - `kept`: the file may not be deleted, created, or overwritten (`>`, `tee`, a tool that writes whole files);
 * - `created`: the file may be deleted, but not created or overwritten;
 * - `replaced`: the file may be created, but an existing one may not be overwritten;
 * - `read`: the file may be created and overwritten.
 *
 * At every level, text may be added (`>>`, `sed -i`, an edit tool). A file may be copied or moved to a path that
 * doesn't exist yet, or restored from a backup in the same directory (`mv x.bak x`). An existing `kept` or `created`
 * file may not be replaced with a different file. Nothing written to these paths may turn hooks off.
 */
type ProtectionLevel = "kept" | "created" | "replaced" | "read";

/** Files in a home directory. */
const HOME_FILES: Readonly<Partial<Record<ProtectionLevel, readonly string[]>>> = {
  kept: [".bashrc", ".bash_profile", ".profile", ".zshrc", ".zprofile", ".zshenv"],
  created: [
    ...[
      ".bash_login",
      ".bash_logout",
      ".bash_aliases",
      ".zlogin",
      ".zlogout",
      ".kshrc",
      ".mkshrc",
      ".cshrc",
      ".tcshrc",
    ],
    ...[".login", ".logout", ".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".pam_environment"],
    ...[".config/environment.d/+", ".config/fish/config.fish", ".config/powershell/+profile.ps1"],
    ...["Documents/PowerShell/+profile.ps1", "Documents/WindowsPowerShell/+profile.ps1"],
    "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/+",
  ],
};

/** System paths. */
const SYSTEM_FILES: typeof HOME_FILES = {
  created: [
    ...["/etc/environment", "/etc/environment.d/+", "/etc/profile", "/etc/bash.bashrc", "/etc/bashrc"],
    ...["/etc/zshrc", "/etc/zshenv", "/etc/zprofile", "/etc/zsh/+", "/etc/fish/config.fish"],
    ...[
      "/etc/crontab",
      "/etc/anacrontab",
      "/etc/cron.+/+",
      "/var/spool/cron/*",
      "/usr/lib/cron/tabs/+",
      "/var/at/tabs/+",
    ],
    ...["/etc/rc.local", "/etc/ld.so.preload"],
  ],
  replaced: ["/etc/profile.d/+", "/etc/sudoers.d/+"],
};

/** Files in a git repository. */
const REPOSITORY_FILES: typeof HOME_FILES = { replaced: [".git/hooks/+"] };

/** Files in any directory that run automatically or contain commands for a program. */
const FILES_IN_ANY_FOLDER: readonly string[] = [
  ...[".envrc", ".tmux.conf", ".screenrc", ".gitconfig", ".vimrc", ".inputrc", ".kkshrc", "config.fish", "+crontab"],
  ...["profile", "+profile.ps1", "rc.local", "bash.bashrc", "zshrc", "zshenv", "crontab"],
  ...["fish/conf.d/+", "fish/functions/+", "fish/completions/+", "vendor_completions.d/+", "vendor_conf.d/+"],
  ...["bash-completion/+", "bash-completion/completions/+", "bash_completion.d/+", ".bash_completion", ".zfunc/+"],
  ...[
    "site-functions/+",
    "zsh/functions/+",
    ".oh-my-zsh/custom/+",
    "profile.d/+",
    "cron.+/+",
    "crontabs/+",
    "spool/cron/+",
  ],
  ...["git/hooks/+", ".git/hooks/+", ".husky/+", "githooks/+", ".githooks/+", "git-hooks/+", ".git-hooks/+"],
  ...["systemd/user/+", "systemd/system/+", "LaunchAgents/+", "LaunchDaemons/+", "autostart/+", "init.d/+"],
  ...["bin/+", "sbin/+", ".git/config", "git/config", "environment.d/+", "Startup/+"],
  ...[".ssh/rc", ".ssh/environment", ".ssh/config", ".ssh/authorized_keys", "sudoers.d/+"],
];

const listPaths = (levels: readonly ProtectionLevel[]) => (rows: typeof HOME_FILES) =>
  levels.flatMap((level) => rows[level] ?? []);
const PROTECTED_LEVELS: readonly ProtectionLevel[] = ["kept", "created", "replaced"];

/** Returns the paths at the given levels, separately for a home directory, the system, and a repository. */
export const getStartupPaths = (
  ...levels: ProtectionLevel[]
): { home: string[]; system: string[]; repository: string[] } => {
  const list = listPaths(levels);
  return { home: list(HOME_FILES), system: list(SYSTEM_FILES), repository: list(REPOSITORY_FILES) };
};

/** Path suffixes of all startup files. Anything written to these files is checked. */
export const STARTUP_SUFFIXES: readonly string[] = [
  ...new Set([
    ...[HOME_FILES, SYSTEM_FILES, REPOSITORY_FILES]
      .flatMap(listPaths(PROTECTED_LEVELS))
      .map((path) => path.replace(/^\//, "")),
    ...FILES_IN_ANY_FOLDER,
  ]),
];

const WILDCARD_PATTERNS: Readonly<Record<string, string>> = { "*": ".+", "+": "[^/]*", "/+": "/[^/]+" };

/** Builds the source of a regular expression that matches any of the paths. */
export const toPathPattern = (pathPatterns: readonly string[]): string =>
  `(?:${pathPatterns.map((path) => path.replace(/\/\+$|[.*+]/g, (sign) => WILDCARD_PATTERNS[sign] ?? `\\${sign}`)).join("|")})$`;

/**
 * Lowercase substrings, at least one of which occurs in any startup path. Searching for them first saves running the
 * regular expression on every path.
 */
export const STARTUP_SUBSTRINGS: readonly string[] = [
  ...[".bash", ".profile", "profile.", ".zsh", ".zprofile", ".zlog", "kshrc", "cshrc", ".login", ".logout", ".xinitrc"],
  ...[".xprofile", ".xsession", ".envrc", ".tmux.conf", ".screenrc", ".gitconfig", ".inputrc", ".vimrc", "config.fish"],
  ...["crontab", "/profile", "rc.local", "bash.bashrc", "/etc/bashrc", "zshrc", "zshenv", "/zprofile", "/etc/zsh/"],
  ...["/conf.d/", "vendor_conf.d/", "/functions/", "/completions/", "vendor_completions.d/", "bash-completion/"],
  ...["bash_completion.d/", "site-functions/", ".zfunc/", ".oh-my-zsh/custom/", "/profile.d/", "/cron.", "/cron/"],
  ...["/crontabs/", "/tabs/", "/hooks/", ".husky", "githooks", "git-hooks", "/systemd/", "/launchagents/"],
  ...[
    "/launchdaemons/",
    "/autostart/",
    "/init.d/",
    "/bin/",
    "/sbin/",
    "git/config",
    "environment.d/",
    "/etc/environment",
  ],
  ...[".pam_environment", "/startup/", "ld.so.preload", "sudoers.d/", ".ssh/rc", ".ssh/environment", ".ssh/config"],
  ".ssh/authorized_keys",
];
