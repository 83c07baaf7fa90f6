import { basename } from "node:path";
import { hosts } from "../../hosts/index.ts";
import type { Env } from "../../protocol/host/host.ts";
import type { ProcessFacts } from "./facts.ts";

/** Agents that bridge-hooks doesn't support as hosts. */
const UNSUPPORTED_AGENTS = ["aider", "amp", "goose", "kiro-cli"];

/** Editors and terminals with built-in agents that can type into a terminal. */
const EDITORS_WITH_AGENTS: Readonly<Record<string, string>> = {
  ...{ code: "Visual Studio Code", "code-insiders": "Visual Studio Code", "code-server": "code-server" },
  ...{ codium: "VSCodium", vscodium: "VSCodium", "code-oss": "Code - OSS", "visual studio code": "Visual Studio Code" },
  ...{ windsurf: "Windsurf", trae: "Trae", kiro: "Kiro", antigravity: "Antigravity", positron: "Positron" },
  ...{ zed: "Zed", "zed-editor": "Zed", warp: "Warp", "warp-terminal": "Warp", wave: "Wave", waveterm: "Wave" },
  ...{ idea: "IntelliJ IDEA", pycharm: "PyCharm", webstorm: "WebStorm", goland: "GoLand", clion: "CLion" },
  ...{ phpstorm: "PhpStorm", rider: "Rider", rubymine: "RubyMine", rustrover: "RustRover", fleet: "Fleet" },
  ...{ studio: "Android Studio", theia: "Theia" },
};
/** Patterns for the directory of a macOS application, and for that of an editor's remote server. */
const APPLICATION_FOLDER = /\/([^/]+)\.app\//;
const EDITOR_SERVER = /\/\.([a-z]+-server)\//;
const EDITOR_VARIABLES: readonly [name: string, value: RegExp, editor: string][] = [
  ["TERM_PROGRAM", /^vscode$/i, "an editor"],
  ["TERM_PROGRAM", /^(?:WarpTerminal|waveterm)$/i, "a terminal with an agent"],
  ["TERMINAL_EMULATOR", /jetbrains/i, "an editor"],
  ["ZED_TERM", /./, "Zed"],
];

/** Terminal emulators. Emulators run by an interpreter are excluded, because a script can have any name. */
export const TERMINAL_EMULATORS: ReadonlySet<string> = new Set([
  ...["alacritty", "blackbox-terminal", "contour", "cool-retro-term", "deepin-terminal", "foot", "ghostty"],
  ...["gnome-terminal", "gnome-terminal-server", "kgx", "kitty", "konsole", "lxterminal", "mate-terminal"],
  ...["io.elementary.terminal", "mlterm", "ptyxis", "ptyxis-agent", "qterminal", "rio", "rxvt", "sakura", "st"],
  ...["stterm", "terminology", "tilda", "tilix", "urxvt", "urxvtd", "wezterm-gui", "x-terminal-emulator"],
  ...["xfce4-terminal", "xterm", "yakuake", "Terminal", "iTerm2"],
]);

/** Display servers whose windows are invisible, or visible only inside another window. */
export const VIRTUAL_DISPLAYS: ReadonlySet<string> = new Set(["Xvfb", "Xephyr", "Xnest", "Xdummy"]);

/** Programs that run another program under a different account in the same terminal. */
export const ACCOUNT_CHANGERS: ReadonlySet<string> = new Set(["sudo", "su", "doas", "pkexec", "login"]);

const INTERPRETER_PROGRAM = /^(?:node(?:js)?|bun|deno|python[\d.]*|ruby|perl|(?:ba|da|z|k|fi)?sh|MainThread)$/;

/** Lists the names that could identify a process: its name, its executable and, for an interpreter, its script. */
function listPrograms({ name, executable, words }: ProcessFacts): string[] {
  const [program = "", ...rest] = words;
  const names = [name, program, ...(executable === undefined ? [] : [executable])];
  const script =
    names.some((candidate) => INTERPRETER_PROGRAM.test(basename(candidate))) &&
    rest.find((word) => !word.startsWith("-"));
  return script ? [...names, script] : names;
}

const getProgramName = (path: string) =>
  basename(path)
    .toLowerCase()
    .replace(/\.(?:exe|[cm]?js|sh)$/, "");

/** Returns the name of the host or other agent that a process belongs to. */
export function findAgent(process: ProcessFacts): string | undefined {
  for (const path of listPrograms(process)) {
    const name = getProgramName(path);
    const isPackage = (packageName: string) => path.includes(`/node_modules/${packageName}/`);
    const application = APPLICATION_FOLDER.exec(path)?.[1]?.toLowerCase() ?? name;
    const host = hosts.find(
      ({ programs, packages }) =>
        [name, application].some((candidate) => programs.includes(candidate)) || packages.some(isPackage),
    );
    if (host) return host.name;
    if (UNSUPPORTED_AGENTS.includes(name)) return name;
  }
  return undefined;
}

/** Returns the name of the editor that a process belongs to. */
export function findEditor(process: ProcessFacts): string | undefined {
  for (const path of listPrograms(process)) {
    const editor =
      EDITORS_WITH_AGENTS[getProgramName(path)] ??
      EDITORS_WITH_AGENTS[(APPLICATION_FOLDER.exec(path)?.[1] ?? "").toLowerCase()];
    const server = EDITOR_SERVER.exec(path)?.[1];
    if (editor !== undefined || server !== undefined) return editor ?? server;
  }
  return undefined;
}

/** Finds an environment variable that shows that an editor runs the terminal. */
export const findEditorVariable = (environment: Env): { name: string; editor: string } | undefined => {
  const match = EDITOR_VARIABLES.find(([name, value]) => value.test(environment[name] ?? ""));
  return match && { name: match[0], editor: match[2] };
};

/** Finds an environment variable that only an agent's child processes have. */
export function findAgentVariable(environment: Env): { name: string; agent: string } | undefined {
  for (const { childVariables, name: agent } of hosts)
    for (const name of childVariables) if (environment[name]) return { name, agent };
  return undefined;
}
