/** Where what lies outside of a project may go all the same, by its path: it can be made or installed again. */

/**
 * The system and what is installed, without the folders in which people keep data. Which parts of it must not be lost is
 * what `isPrecious` and `isPreciousFile` say.
 */
const SYSTEM_PLACE =
  /^\/(?:bin|boot|dev|etc|lib(?:32|64)?|nix|opt|proc|run(?!\/media\/)|sbin|snap|sys|System|Library|Applications|usr|var(?!\/(?:www|backups|mail)\/))(?:\/|$)/;
const WINDOWS_PLACE =
  /^\/(?:(?:mnt|cygdrive)\/)?[a-z]:?\/(?:windows|program files[^/]*|programdata|\$recycle\.bin|te?mp)(?:\/|$)/i;
const TEMPORARY_PLACE = /^\/tmp(?:\/|$)/;
export const isMachinePlace = (path: string): boolean =>
  TEMPORARY_PLACE.test(path) || SYSTEM_PLACE.test(path) || WINDOWS_PLACE.test(path);

/** Variables with the path of a folder for temporary files. */
export const TEMPORARY_VARIABLES = ["TMPDIR", "TEMP", "TMP", "RUNNER_TEMP", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"];

/** A home folder, whoever's it is. */
export const ANY_HOME = /^\/(?:(?:home|Users)\/[^/]+|root|(?:(?:mnt|cygdrive)\/)?[a-z]:?\/users\/[^/]+)(?=\/)/i;

/** In a home folder: what programs fill again, and where programs are installed. */
const REFILLED_PLACE =
  /^(?:\.(?:cache|npm|yarn|pnpm-store|gradle|m2|nuget|bun|cargo|rustup|venvs?|virtualenvs|conda|tmp|nvm|pyenv|rbenv|sdkman|deno|volta|asdf|fnm|Trash)|te?mp|go\/pkg|\.local\/(?:bin|lib|pipx|share\/(?:Trash|pnpm|uv|pipx|fnm|mise|virtualenvs))|\.vscode(?:-server)?\/extensions|Library\/(?:Caches|Logs|Developer\/Xcode\/DerivedData)|AppData\/Local\/(?:Temp|Programs|Microsoft\/WindowsApps))(?:\/|$)/i;
export const isRefilledPlace = (fromHome: string): boolean => REFILLED_PLACE.test(fromHome);

/** In a home folder: what programs keep there. Single files are settings that an agent changes at a user's request. */
const SETTINGS_PLACE = /^(?:\.|Library\/|AppData\/|Documents\/(?:Windows)?PowerShell\/)/i;
/** Of that, what gives access, or is a person's own. */
const ACCESS_PLACE =
  /^(?:\.(?:aws|kube|azure|password-store|mozilla|thunderbird|config\/gcloud|local\/share\/keyrings)|Library\/(?:Keychains|Mail|Messages|Mobile Documents))(?:\/|$)/i;
export const isSettingsPlace = (fromHome: string): boolean =>
  SETTINGS_PLACE.test(fromHome) && !ACCESS_PLACE.test(fromHome);

/** In a home folder: a person's own files, even where the session runs in the home folder itself. */
export const PERSONAL_PLACE = /^(?:Desktop|Documents|Dropbox|Movies|Music|OneDrive[^/]*|Pictures|Videos)\//i;
/** Where what a person fetches waits to be brought to its place. */
export const DOWNLOADS_PLACE = /^Downloads\//i;

/** Whether a name is that of a copy beside another: `x.bak` of `x`. */
export const isCopyName = (name: string, of: string): boolean =>
  name.startsWith(of) && /^[.~_-]./.test(name.slice(of.length).replace(/^~$/, "~~"));

/** Names of what programs make again, wherever it lies. */
const MADE_NAME =
  /^(?:node_modules|bower_components|__pycache__|\.?venv|[._]\w{0,40}cache\w{0,40}|caches?(?:\.\w+)?|\.(?:tox|nox|next|nuxt|turbo|gradle|terraform|svelte-kit|angular|vite|dart_tool|eggs|nyc_output|ipynb_checkpoints|DS_Store)|htmlcov|DerivedData|cmake-build-\w+|Thumbs\.db|[\w.]+\.egg-info)$/i;
/** In the settings of programs, any name that speaks of a cache or of logs. */
const CACHED_NAME = /cache|^logs?$/i;
/** Names that say that what has them may go. */
const TEMPORARY_NAME = /^(?:te?mp[-_.][\w.-]+|[\w.-]*[-_.]te?mp)$/i;
/** The same below the top of a repository. */
const BUILT_NAME = /^(?:dist|build|out|target|coverage|obj|tmp|temp|logs)$/;
/** Files that programs leave behind. */
const LEFT_NAME =
  /(?:nohup\.out|\.(?:log|lock|pid|sock|te?mp|sw[op]|py[co]|o|orig|rej|part|crdownload|tsbuildinfo)|~)$/i;

/** Whether a name, or a wildcard for names, is that of something that programs make again or leave behind. */
export const isMadeName = (name: string): boolean =>
  MADE_NAME.test(name) || LEFT_NAME.test(name) || TEMPORARY_NAME.test(name);
export const isCachedName = (name: string): boolean => CACHED_NAME.test(name);
export const isBuiltName = (name: string): boolean => BUILT_NAME.test(name);
