/**
 * The places that decide what runs at the next start: of a shell, a session, a machine, or of git. One list for all
 * hooks and tools. `*` stands for any text, `+` for any name or part of one.
 *
 * - `kept`: the file may neither be deleted, nor replaced by other text, nor made in that way (`>`, `tee`, a tool that writes whole files);
 * - `created`: it may be deleted, but not replaced or made;
 * - `replaced`: it may be made, but one that is there may not be replaced;
 * - `read`: it may be made and replaced.
 *
 * Everywhere text may be added (`>>`, `sed -i`, a tool that edits), and files may be copied or moved there that are not
 * there yet, or that come from a copy beside them (`mv x.bak x`); in place of a `kept` or `created` one that is there, no
 * other may be put. Whatever a call writes may not turn hooks off.
 */
type Level = "kept" | "created" | "replaced" | "read";

/** In a home folder. */
const HOME: Readonly<Partial<Record<Level, readonly string[]>>> = {
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

/** Of the system. */
const SYSTEM: typeof HOME = {
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

/** In a repository of git. */
const REPOSITORY: typeof HOME = { replaced: [".git/hooks/+"] };

/** Files that are run, or read for commands, by themselves, wherever their folder is. */
const ANYWHERE: readonly string[] = [
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

const listPlaces = (levels: readonly Level[]) => (rows: typeof HOME) => levels.flatMap((level) => rows[level] ?? []);
const ALL: readonly Level[] = ["kept", "created", "replaced"];

/** The places of a level in each of the three: in a home folder, of the system, in a repository. */
export const getStartupPlaces = (...levels: Level[]): { home: string[]; system: string[]; repository: string[] } => {
  const list = listPlaces(levels);
  return { home: list(HOME), system: list(SYSTEM), repository: list(REPOSITORY) };
};

/** The ends of the paths of all of them: what is written there is read. */
export const STARTUP_ENDINGS: readonly string[] = [
  ...new Set([
    ...[HOME, SYSTEM, REPOSITORY].flatMap(listPlaces(ALL)).map((path) => path.replace(/^\//, "")),
    ...ANYWHERE,
  ]),
];

const SIGNS: Readonly<Record<string, string>> = { "*": ".+", "+": "[^/]*", "/+": "/[^/]+" };

/** The source of an expression that fits one of the places. */
export const toPlacePattern = (places: readonly string[]): string =>
  `(?:${places.map((path) => path.replace(/\/\+$|[.*+]/g, (sign) => SIGNS[sign] ?? `\\${sign}`)).join("|")})$`;

/** Parts of their absolute paths, in lower case, of which each has one: a quick look before the expression. */
export const STARTUP_PIECES: readonly string[] = [
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
