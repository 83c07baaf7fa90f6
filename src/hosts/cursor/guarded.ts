import type { Guard } from "../../protocol/host/host.ts";

const ENTERPRISE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/Cursor/hooks.json",
  win32: "C:/ProgramData/Cursor/hooks.json",
};

export const guarded: Guard = {
  files: ({ platform }) => ["**/.cursor/hooks.json", ENTERPRISE[platform] ?? "/etc/cursor/"],
  programs: ["cursor-agent", "cursor"],
  // None is known.
  off: () => undefined,
  variables: [],
};
