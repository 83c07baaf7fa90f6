import { dirname } from "bridge-hooks/paths";
import { git, realPath } from "bridge-hooks";
import { readContent } from "./contents.ts";
import { isSettingsFile, type SettingsFiles } from "./files.ts";
import type { SecretsSettings } from "./options.ts";
import { findSecretKinds } from "./texts.ts";

/** Maximum number of files to check. Each check takes a git call, and few calls name more settings files than this. */
const MAX_FILES = 5;

/** Whether a settings file is tracked by git and contains no recognizable secret. */
async function isSharedSettings(path: string, options: SecretsSettings): Promise<boolean> {
  const resolvedPath = realPath(path);
  if (resolvedPath === undefined || !isSettingsFile(resolvedPath)) return false;
  const content = readContent(resolvedPath);
  if (typeof content !== "object" || !git({ cwd: dirname(resolvedPath) })?.tracks(resolvedPath)) return false;
  return (await findSecretKinds(content.text, options)).length === 0;
}

/** Returns the first file that a search finds, skipping tracked settings files without secrets. */
export async function findUnsharedFile<T>(
  find: (settings: SettingsFiles) => T | undefined,
  options: SecretsSettings,
): Promise<T | undefined> {
  const settings: SettingsFiles = { harmlessPaths: new Set(), unchecked: new Set(), contents: new Map() };
  const checked = new Set<string>();
  for (;;) {
    const file = find(settings);
    const remaining = file === undefined ? [] : [...settings.unchecked].filter((path) => !checked.has(path));
    const previousSize = settings.harmlessPaths.size;
    for (const path of remaining.slice(0, MAX_FILES - checked.size)) {
      checked.add(path);
      if (await isSharedSettings(path, options)) settings.harmlessPaths.add(path);
    }
    if (settings.harmlessPaths.size === previousSize) return file;
  }
}
