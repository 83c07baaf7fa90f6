import { wildcardPattern } from "../../shell/words/wildcard.ts";

/** A package manager, with the arguments that make it remove or replace a package. */
interface PackageManager {
  programs: string;
  removes: RegExp;
  replaces?: RegExp;
  /** Matches the flag for global installation. Without that flag, the command only changes a project's own packages. */
  global?: RegExp;
}

const NODE_INSTALL = /^(?:install|i|in|isntall|add|update|up|upgrade|udpate|link)$/;
/** npm accepts every unambiguous abbreviation of a command. */
const NPM_INSTALL =
  /^(?:i|ins?|insta?|install?|isn(?:t(?:a(?:ll?)?)?)?|add?|up|upd(?:a(?:te?)?)?|upg(?:r(?:a(?:de?)?)?)?|ud(?:p(?:a(?:te?)?)?)?|ln|link?)$/;
const NPM_UNINSTALL = /^(?:r|rm|rem(?:o(?:ve?)?)?|un|uni(?:n(?:s(?:t(?:a(?:ll?)?)?)?)?)?|unl(?:i(?:nk?)?)?)$/;
const GLOBAL_OPTION = /^(?:-[a-z]{0,8}g[a-z]{0,8}|--global(?:=true)?|--location=global|global)$/i;

/** Package managers that could have installed this executable, and others with similar commands. */
const PACKAGE_MANAGERS: readonly PackageManager[] = [
  { programs: "npm cnpm", removes: NPM_UNINSTALL, replaces: NPM_INSTALL, global: GLOBAL_OPTION },
  {
    programs: "pnpm yarn yarnpkg bun",
    removes: /^(?:uninstall|un|unlink|remove|rm)$/,
    replaces: NODE_INSTALL,
    global: GLOBAL_OPTION,
  },
  { programs: "deno", removes: /^uninstall$/, replaces: /^install$/, global: GLOBAL_OPTION },
  { programs: "volta asdf proto rtx", removes: /^(?:uninstall|remove)$/, replaces: /^(?:install|pin|global)$/ },
  {
    programs: "mise",
    removes: /^(?:uninstall|unuse|remove|rm|prune)$/,
    replaces: /^(?:install|i|upgrade|up|use|u)$/,
  },
  {
    programs: "brew",
    removes: /^(?:uninstall|remove|rm|unlink)$/,
    replaces: /^(?:install|reinstall|upgrade|link|ln)$/,
  },
  {
    programs: "apt apt-get aptitude nala",
    removes: /^(?:remove|purge|autoremove|autopurge)$/,
    replaces: /^(?:install|reinstall|upgrade|full-upgrade|safe-upgrade)$/,
  },
  { programs: "dpkg", removes: /^(?:-r|-P|--remove|--purge)$/, replaces: /^(?:-i|--install|--unpack)$/ },
  {
    programs: "rpm",
    removes: /^(?:-[vh]*e[vh]*|--erase)$/,
    replaces: /^(?:-[vh]*[UFi][vh]*|--(?:upgrade|freshen|install|reinstall))$/,
  },
  {
    programs: "dnf dnf5 yum microdnf tdnf rpm-ostree",
    removes: /^(?:remove|erase|autoremove|rm|uninstall)$/,
    replaces: /^(?:install|reinstall|upgrade|update|downgrade|swap|localinstall|up|in)$/,
  },
  { programs: "zypper", removes: /^(?:remove|rm)$/, replaces: /^(?:install|in|update|up)$/ },
  {
    programs: "pacman yay paru pamac",
    removes: /^(?:-R[a-z]{0,8}|--remove|remove)$/,
    replaces: /^(?:-[SU](?![sil])[a-z]{0,8}|--sync|--upgrade|install)$/,
  },
  { programs: "apk", removes: /^del$/, replaces: /^(?:add|fix|upgrade)$/ },
  { programs: "snap", removes: /^(?:remove|disable)$/, replaces: /^(?:install|refresh|revert)$/ },
  { programs: "flatpak", removes: /^(?:uninstall|remove)$/, replaces: /^(?:install|update)$/ },
  {
    programs: "nix nix-env",
    removes: /^(?:remove|-e|--uninstall)$/,
    replaces: /^(?:upgrade|install|-i|-iA|--install)$/,
  },
  { programs: "port", removes: /^(?:uninstall|deactivate)$/, replaces: /^(?:install|upgrade)$/ },
  {
    programs: "conda mamba micromamba pip pip3 pipx uv gem cargo pkg opkg xbps-remove eopkg",
    removes: /^(?:uninstall|remove|rm|delete|-R[a-z]{0,8})$/,
  },
  // `python3 -m pip uninstall`
  { programs: "python python3 py", removes: /^uninstall$/ },
  { programs: "emerge", removes: /^(?:-C|-c|--unmerge|--depclean)$/ },
  { programs: "guix", removes: /^(?:remove|-r|--remove)$/ },
  { programs: "winget", removes: /^(?:uninstall|remove|rm)$/i, replaces: /^(?:install|add|upgrade|update)$/i },
  { programs: "choco", removes: /^uninstall$/i, replaces: /^(?:install|upgrade)$/i },
  { programs: "scoop", removes: /^(?:uninstall|rm)$/i, replaces: /^(?:install|update|reset)$/i },
  { programs: "msiexec", removes: /^[/-](?:x.*|uninstall)$/i, replaces: /^[/-](?:i|package|update|f\w*|a)$/i },
  { programs: "pkgutil", removes: /^--forget$/ },
  { programs: "pkg_delete pkgrm", removes: /^/ },
  { programs: "installer", removes: /^$/, replaces: /^-pkg$/ },
  {
    programs: "uninstall-package remove-package remove-appxpackage uninstall-winget-package",
    removes: /^/,
  },
];

const MANAGERS_BY_PROGRAM = new Map(
  PACKAGE_MANAGERS.flatMap((manager) =>
    manager.programs
      .toLowerCase()
      .split(" ")
      .map((name) => [name, manager] as const),
  ),
);

/** The product's package names, with an optional version, architecture or file extension. */
const OWN_PACKAGE =
  /^(?:@bridge-hooks|bridge-?hooks|bridgehooks\.bridgehooks)(?:[-_]?$|[@=:<>~/]|[-_.](?:v?\d|linux|darwin|macos|win|x64|arm64|setup|msi$|pkg|deb$|rpm$|tgz$))/;

/** A package name with its publisher as the prefix: `X.bridge-hooks`. */
const OWN_IDENTIFIER = /^[\w-]{1,60}\.bridge-?hooks$/;

/**
 * Whether a word names one of the product's packages: `bridge-hooks@1`, `tap/bridge-hooks`,
 * `./bridge-hooks_1_amd64.deb`, `bridge*`.
 */
function isOwnPackage(argument: string): boolean {
  const word = argument.toLowerCase().replace(/^(?:npm:|--(?:id|name|moniker|query)=|!)/, "");
  const name = word.startsWith("@") ? word : word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  if (
    OWN_PACKAGE.test(name) ||
    OWN_IDENTIFIER.test(name) ||
    /^(?:com|io|dev|org)\.(?:[\w-]{1,60}\.)?bridge-?hooks/.test(name)
  )
    return true;
  return name.startsWith("bri") && /[*?[]/.test(name) && wildcardPattern(name.replaceAll(".*", "*"))("bridge-hooks");
}

/** Describes how a package manager command would change the installed bridge-hooks, as a phrase that follows "it". */
export function describePackageChange(program: string, args: readonly string[]): string | undefined {
  const [first = "", ...rest] = args;
  if (program === "corepack") return describePackageChange(first, rest);
  const manager = MANAGERS_BY_PROGRAM.get(program.toLowerCase());
  if (!manager || !args.some(isOwnPackage)) return undefined;
  const has = (verb: RegExp | undefined) => verb !== undefined && args.some((word) => verb.test(word));
  if (has(manager.removes)) return "uninstalls bridge-hooks";
  return has(manager.replaces) && (manager.global === undefined || has(manager.global))
    ? "replaces the installed bridge-hooks"
    : undefined;
}
