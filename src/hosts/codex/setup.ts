import type { ConfigEntry, Place, Scope, Setup } from "../../core/host.ts";
import { commandsOf } from "../setup.ts";

/** hooks.json and the [hooks] tables of config.toml, by layer [user and project seen 0.169.0; system shipped 0.169.0]. */
export const setup: Setup = {
  configs({ roots, home, platform, env }: Place): Record<Scope, string[]> {
    const both = (folder: string) => [`${folder}/hooks.json`, `${folder}/config.toml`];
    const system = platform === "win32" ? `${env.ProgramData ?? "C:\\ProgramData"}\\OpenAI\\Codex` : "/etc/codex";
    return {
      project: roots.flatMap((root) => both(`${root}/.codex`)),
      user: both(env.CODEX_HOME ?? `${home}/.codex`),
      system: [...both(system), `${system}/requirements.toml`],
    };
  },
  entries: (text, file): ConfigEntry[] => commandsOf(file.endsWith(".toml") ? Bun.TOML.parse(text) : JSON.parse(text)),
};
