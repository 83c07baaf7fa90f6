import type { PackFile } from "../../protocol/host/pack.ts";

/**
 * Returns no files, because Crush has no managed config [docs
 * https://github.com/charmbracelet/crush/tree/main/docs/config].
 */
export const buildPack = (): PackFile[] => [];
