import { EXCEPTION_SCHEMA, parseEnd } from "../../policy/describe.ts";
import { readPart } from "../../policy/schema.ts";
import type { ConfigFiles } from "../../policy/files.ts";
import { isObject } from "../../protocol/object.ts";
import type { ConfigScope } from "../../policy/sources.ts";

/** A valid, unexpired exception in a config file. */
export interface ConfigException {
  scope: ConfigScope;
  file: string;
  /** The exception's key in the file, such as `exceptions.0`. */
  key: string;
  rule: string;
  match?: string;
  project?: string;
  reason: string;
  until?: string;
}

/** Lists the exceptions in config files. Unreadable files are skipped. */
export async function listConfigExceptions({ sources, read }: ConfigFiles): Promise<ConfigException[]> {
  const exceptions: ConfigException[] = [];
  for (const source of sources.filter(({ scope }) => scope !== "project")) {
    const config = await read(source).catch(() => undefined);
    for (const [at, entry] of (config?.exceptions ?? []).entries()) {
      if (!isObject(entry)) continue;
      const { value, problems } = readPart(EXCEPTION_SCHEMA, entry);
      if (problems.length > 0 || (value.until !== undefined && Date.now() >= parseEnd(value.until))) continue;
      exceptions.push({ scope: source.scope, file: source.path, key: `exceptions.${at}`, ...value });
    }
  }
  return exceptions;
}
