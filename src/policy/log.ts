import { isObject } from "../protocol/object.ts";
import { CONFIG_PARTS, type LogSettings } from "./describe.ts";
import { readPart } from "./schema.ts";
import { readConfigDocument } from "./read.ts";
import type { ConfigSource } from "./sources.ts";
import { DEFAULT_LOG_SETTINGS, LOG_LOCK } from "./vocabulary.ts";

type LogKey = keyof LogSettings;
const LOG_KEYS = Object.keys(DEFAULT_LOG_SETTINGS) as LogKey[];

/** A config document that may have log settings in it. */
interface LogDocument {
  source: ConfigSource;
  document: Readonly<Record<string, unknown>>;
}

const locksLog = ({ locked }: LogDocument["document"]): boolean =>
  locked !== undefined && locked !== false && (!Array.isArray(locked) || locked.includes(LOG_LOCK));

/**
 * Merges log settings key by key. The managed file takes precedence over the user's file. Invalid values are ignored so
 * that a mistake can't turn off the log.
 * @param documents config documents in descending order of precedence; documents from a project are ignored
 */
export function mergeLogSettings(documents: readonly LogDocument[]): {
  settings: LogSettings;
  sources: Partial<Record<LogKey, ConfigSource>>;
} {
  const settings: Record<string, unknown> = { ...DEFAULT_LOG_SETTINGS };
  const sources: Partial<Record<LogKey, ConfigSource>> = {};
  for (const { source, document } of documents) {
    if (source.scope === "project") continue;
    const log = document.log === undefined ? undefined : readPart(CONFIG_PARTS.log.schema, document.log).value;
    if (isObject(log))
      for (const key of LOG_KEYS) {
        if (sources[key] || log[key] === undefined) continue;
        settings[key] = log[key];
        sources[key] = source;
      }
    if (source.scope === "managed" && locksLog(document)) break;
  }
  return { settings: settings as unknown as LogSettings, sources };
}

/** The log settings, along with each file's config document. */
export interface LoadedLogSettings {
  settings: LogSettings;
  documents: ReadonlyMap<string, LogDocument["document"]>;
}

/** Reads the log settings, skipping unreadable files. */
export async function readLogSettings(sources: readonly ConfigSource[]): Promise<LoadedLogSettings> {
  const documents: LogDocument[] = [];
  for (const source of sources) {
    const document = await readConfigDocument(source).catch(() => undefined);
    if (document) documents.push({ source, document });
  }
  const { settings } = mergeLogSettings(documents);
  return { settings, documents: new Map(documents.map(({ source, document }) => [source.path, document])) };
}
