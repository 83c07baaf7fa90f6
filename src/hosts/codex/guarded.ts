import type { Guard } from "../../protocol/host/host.ts";

/** A feature's value or a table of hooks, as `-c` takes them. */
const SETTING = /^(--config=|-c=?)?(features\.(codex_)?hooks\s*=\s*"?false|features\s*=.*hooks\s*=\s*false|hooks\b)/;
const FEATURE = /^(codex_)?hooks$/;

export const guarded: Guard = {
  files: ({ platform, env }) => [
    "**/.codex/hooks.json",
    "**/.codex/config.toml",
    "**/.codex/managed_config.toml",
    ...(env.CODEX_HOME ? [`${env.CODEX_HOME}/hooks.json`, `${env.CODEX_HOME}/config.toml`] : []),
    platform === "win32" ? `${env.ProgramData ?? "C:/ProgramData"}/OpenAI/Codex/` : "/etc/codex/",
  ],
  programs: ["codex", "@openai/codex"],
  off(args) {
    const found = args.some(
      (word, at) =>
        (/^(-c|--config)/.test(word) && (SETTING.test(word) || SETTING.test(args[at + 1] ?? ""))) ||
        (word === "--disable" && FEATURE.test(args[at + 1] ?? "")) ||
        (word.startsWith("--disable=") && FEATURE.test(word.slice(10))),
    );
    if (found) return "starts Codex with other hooks, or none";
    return args[0] === "features" && args[1] === "disable" && args.some((word) => FEATURE.test(word))
      ? "turns Codex's hooks off"
      : undefined;
  },
  variables: ["CODEX_HOME"],
  managed: ["com.openai.codex"],
};
