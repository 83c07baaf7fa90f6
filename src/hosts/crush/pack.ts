import type { PackFile } from "../../protocol/host/pack.ts";

/** Crush has no administrators' file [docs https://github.com/charmbracelet/crush/tree/main/docs/config]. */
export const buildPack = (): PackFile[] => [];
