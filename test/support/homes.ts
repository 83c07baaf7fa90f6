import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { InstallContext } from "../../src/operate/machine/install-context.ts";
import type { HookDescriptor } from "../../src/protocol/hook.ts";
import type { ConfigFile, Setup } from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";

/** Describes a hook with these subscriptions, the way an installation sees it. */
export const createHookEntry = (
  events: HookDescriptor["events"],
  overrides: Partial<HookDescriptor> = {},
): HookDescriptor => ({
  name: "hook",
  events,
  load: () => Promise.reject(new Error("an installation runs no hook")),
  ...overrides,
});

/** A separate machine: home directory, project, system directories, and an executable that's never run. */
export interface Home extends InstallContext, Disposable {
  folder: string;
  self: string;
}

export function createHome(
  entries: readonly HookDescriptor[] = [createHookEntry(["PreToolUse", "SessionStart"])],
): Home {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-home-"));
  for (const name of ["home", "project", "system", "bin"]) mkdirSync(join(folder, name));
  const self = writeExecutable(join(folder, "bin", "bridge-hooks"));
  return {
    folder,
    self,
    entries,
    machine: {
      roots: [join(folder, "project")],
      home: join(folder, "home"),
      system: join(folder, "system"),
      platform: process.platform,
      env: {
        PATH: "/usr/bin:/bin",
        XDG_STATE_HOME: join(folder, "state"),
        LOCALAPPDATA: join(folder, "state"),
        HOME: join(folder, "home"),
      },
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function writeExecutable(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
}

export const writeTestFile = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
export const readTestFile = (path: string): string => readFileSync(path, "utf8");

/** Every file that `install` writes, one per host and scope. Files for single events have their own tests. */
export const installTargets = (
  await Promise.all(hosts.map(async (host) => ({ host, setup: await host.setup() })))
).flatMap(({ host, setup }) => {
  const found = setup
    .listConfigFiles({ roots: ["/p"], home: "/h", platform: process.platform, env: {} })
    .filter(({ target, event }) => target && event === undefined);
  return found.map(({ scope, syntax, bare }) => ({
    host,
    setup,
    scope: scope as Exclude<ConfigFile["scope"], "system">,
    syntax,
    bare,
    file: ({ machine }: InstallContext) => findTargetFile(setup, scope, machine),
  }));
});

const findTargetFile = (setup: Setup, scope: ConfigFile["scope"], place: InstallContext["machine"]): ConfigFile =>
  setup.listConfigFiles(place).find((file) => file.target && file.scope === scope) as ConfigFile;

/**
 * Builds a config with another tool's hooks in a host's layout. Plugins are separate files, so another tool's can't
 * contain our entries.
 */
export function buildForeignConfig(
  { layout }: Setup,
  { syntax, bare }: Pick<ConfigFile, "syntax" | "bare">,
  event: string,
): string {
  if (typeof syntax === "object") return "export const Mine = async () => ({});\n";
  if (syntax === "toml") {
    const list =
      layout === "flat"
        ? `[[hooks]]\nevent = "${event}"\ncommand = "./guard.sh --host nobody" # theirs\n`
        : `[[hooks.${event}]]\nmatcher = "Bash"\n\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = "./guard.sh --host nobody" # theirs\n`;
    return `# the company's\nmodel = "gpt" # pinned\n\n[features]\nother = true # note\n\n${list}`;
  }
  const handler =
    layout === "groups"
      ? { matcher: "Bash", hooks: [{ type: "command", command: "./guard.sh" }] }
      : { command: "./guard.sh", matcher: "Shell" };
  const hooks = { [event]: [handler], ...(layout === "groups" && { Stop: [] }) };
  return `${JSON.stringify(bare ? hooks : { ...(layout === "list" && { version: 1 }), hooks }, null, 4)}\n`;
}
