/** Paths outside the project that are safe to delete because programs can regenerate or reinstall them. */

/** System and installation paths without user data. `isPrecious` and `isPreciousFile` decide which of these paths must not be lost. */
const INSTALLED_PATH =
  /^\/(?:bin|boot|dev|etc|lib(?:32|64)?|nix|opt|proc|run(?!\/media\/)|sbin|snap|sys|System|Library|Applications|usr|var(?!\/(?:www|backups|mail)\/))(?:\/|$)/;
const WINDOWS_PATH =
  /^\/(?:(?:mnt|cygdrive)\/)?[a-z]:?\/(?:windows|program files[^/]*|programdata|\$recycle\.bin|te?mp)(?:\/|$)/i;
const TEMPORARY_PATH = /^\/tmp(?:\/|$)/;
export const isMachinePath = (path: string): boolean =>
  TEMPORARY_PATH.test(path) || INSTALLED_PATH.test(path) || WINDOWS_PATH.test(path);

/** Environment variables that name a temporary directory. */
export const TEMPORARY_VARIABLES = ["TMPDIR", "TEMP", "TMP", "RUNNER_TEMP", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"];

/** Any user's home directory. */
export const ANY_USER_HOME = /^\/(?:(?:home|Users)\/[^/]+|root|(?:(?:mnt|cygdrive)\/)?[a-z]:?\/users\/[^/]+)(?=\/)/i;

/** Directories in the home directory that programs refill or that contain installed programs. */
const REFILLED_PATH =
  /^(?:\.(?:cache|npm|yarn|pnpm-store|gradle|m2|nuget|bun|cargo|rustup|venvs?|virtualenvs|conda|tmp|nvm|pyenv|rbenv|sdkman|deno|volta|asdf|fnm|Trash)|te?mp|go\/pkg|\.local\/(?:bin|lib|pipx|share\/(?:Trash|pnpm|uv|pipx|fnm|mise|virtualenvs))|\.vscode(?:-server)?\/extensions|Library\/(?:Caches|Logs|Developer\/Xcode\/DerivedData)|AppData\/Local\/(?:Temp|Programs|Microsoft\/WindowsApps))(?:\/|$)/i;
export const isRefilledPath = (homeRelativePath: string): boolean => REFILLED_PATH.test(homeRelativePath);

/** Settings in the home directory. An agent is allowed to change a single settings file when a user asks for it. */
const SETTINGS_PATH = /^(?:\.|Library\/|AppData\/|Documents\/(?:Windows)?PowerShell\/)/i;
/** Settings directories with credentials or personal data. */
const CREDENTIAL_PATH =
  /^(?:\.(?:aws|kube|azure|password-store|mozilla|thunderbird|config\/gcloud|local\/share\/keyrings)|Library\/(?:Keychains|Mail|Messages|Mobile Documents))(?:\/|$)/i;
export const isSettingsPath = (homeRelativePath: string): boolean =>
  SETTINGS_PATH.test(homeRelativePath) && !CREDENTIAL_PATH.test(homeRelativePath);

/** Personal files in the home directory, which stay protected even if the session runs there. */
export const PERSONAL_PATH = /^(?:Desktop|Documents|Dropbox|Movies|Music|OneDrive[^/]*|Pictures|Videos)\//i;
/** The Downloads directory, for files that haven't been moved elsewhere yet. */
export const DOWNLOADS_PATH = /^Downloads\//i;

/** Whether a file name indicates a backup copy, such as `x.bak` for `x`. */
export const isBackupName = (name: string, of: string): boolean =>
  name.startsWith(of) && /^[.~_-]./.test(name.slice(of.length).replace(/^~$/, "~~"));

/** Names of files and directories that programs regenerate in any directory. */
const REGENERATED_NAME =
  /^(?:node_modules|bower_components|__pycache__|\.?venv|[._]\w{0,40}cache\w{0,40}|caches?(?:\.\w+)?|\.(?:tox|nox|next|nuxt|turbo|gradle|terraform|svelte-kit|angular|vite|dart_tool|eggs|nyc_output|ipynb_checkpoints|DS_Store)|htmlcov|DerivedData|cmake-build-\w+|Thumbs\.db|[\w.]+\.egg-info)$/i;
/** Names in settings directories that suggest caches or logs. */
const CACHED_NAME = /cache|^logs?$/i;
/** Names that suggest temporary files. */
const TEMPORARY_NAME = /^(?:te?mp[-_.][\w.-]+|[\w.-]*[-_.]te?mp)$/i;
/** Names of build output directories below a repository's root. */
const BUILD_OUTPUT_NAME = /^(?:dist|build|out|target|coverage|obj|tmp|temp|logs)$/;
/** Names of files that programs leave behind. */
const LEFTOVER_NAME =
  /(?:nohup\.out|\.(?:log|lock|pid|sock|te?mp|sw[op]|py[co]|o|orig|rej|part|crdownload|tsbuildinfo)|~)$/i;

/** Whether a name, or a wildcard for names, suggests regenerated or leftover files. */
export const isRegeneratedName = (name: string): boolean =>
  REGENERATED_NAME.test(name) || LEFTOVER_NAME.test(name) || TEMPORARY_NAME.test(name);
export const isCachedName = (name: string): boolean => CACHED_NAME.test(name);
export const isBuildOutputName = (name: string): boolean => BUILD_OUTPUT_NAME.test(name);
