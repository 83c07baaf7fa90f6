import { isObject } from "../../protocol/object.ts";
import type { ConfigSource } from "../settings.ts";

/** The settings of the decision log, as config files say them in `log`. */
export interface LogSettings {
  /** Which calls get a line: none, those that something was decided about, or all. */
  level: "off" | "decisions" | "all";
  /** What a line tells of the call: with secrets replaced, its shape alone, or everything. */
  content: "redacted" | "structure" | "full";
  /** How long lines are kept. */
  retainDays: number;
  /** Lines are numbered, and each holds the hash of the one before. */
  chain: boolean;
  /** The payloads of those calls are kept for `replay`, with secrets replaced. */
  record: boolean;
}

export const DEFAULT_LOG_SETTINGS: LogSettings = {
  level: "decisions",
  content: "redacted",
  retainDays: 30,
  chain: false,
  record: false,
};

export type LogKey = keyof LogSettings;
export const LOG_KEYS = Object.keys(DEFAULT_LOG_SETTINGS) as LogKey[];

const isOneOf = (values: readonly string[]) => (value: unknown) => values.includes(value as string);
const isSwitch = (value: unknown) => typeof value === "boolean";
/** Ten years. */
export const MAX_RETAIN_DAYS = 3650;
const isDays = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_RETAIN_DAYS;

/** The valid values of each setting: in words, and as a test. */
export const LOG_VALUES: Readonly<Record<LogKey, { expected: string; isValid: (value: unknown) => boolean }>> = {
  level: { expected: '"off", "decisions" or "all"', isValid: isOneOf(["off", "decisions", "all"]) },
  content: { expected: '"redacted", "structure" or "full"', isValid: isOneOf(["redacted", "structure", "full"]) },
  retainDays: { expected: `a whole number of days from 1 to ${MAX_RETAIN_DAYS}`, isValid: isDays },
  chain: { expected: "true or false", isValid: isSwitch },
  record: { expected: "true or false", isValid: isSwitch },
};

/** What a lock names to keep the user's file from setting the log. */
export const LOG_LOCK = "log";

/** A config file's document, as far as the log needs it. */
interface LogDocument {
  source: ConfigSource;
  document: Readonly<Record<string, unknown>>;
}

const locksLog = ({ locked }: LogDocument["document"]): boolean =>
  locked !== undefined && locked !== false && (!Array.isArray(locked) || locked.includes(LOG_LOCK));

/**
 * Merges the settings of the log, key by key: managed over user. An invalid value counts as none, so that a mistake does
 * not turn the log off.
 * @param documents the strongest first; those of projects are ignored.
 */
export function mergeLogSettings(documents: readonly LogDocument[]): {
  settings: LogSettings;
  sources: Partial<Record<LogKey, ConfigSource>>;
} {
  const settings: Record<string, unknown> = { ...DEFAULT_LOG_SETTINGS };
  const sources: Partial<Record<LogKey, ConfigSource>> = {};
  for (const { source, document } of documents) {
    if (source.scope === "project") continue;
    const { log } = document;
    if (isObject(log))
      for (const key of LOG_KEYS) {
        if (sources[key] || !Object.hasOwn(log, key) || !LOG_VALUES[key].isValid(log[key])) continue;
        settings[key] = log[key];
        sources[key] = source;
      }
    if (source.scope === "managed" && locksLog(document)) break;
  }
  return { settings: settings as unknown as LogSettings, sources };
}

/** The settings of the log, and the documents that were read for them, by their files. */
export interface LoadedLogSettings {
  settings: LogSettings;
  documents: ReadonlyMap<string, LogDocument["document"]>;
}

const NO_SETTINGS: LoadedLogSettings = { settings: DEFAULT_LOG_SETTINGS, documents: new Map() };

/** Reads the settings of the log; a file that can't be read says nothing. */
export async function readLogSettings(sources: readonly ConfigSource[]): Promise<LoadedLogSettings> {
  // Most machines have none, and the reader need not be loaded then.
  if (sources.length === 0) return NO_SETTINGS;
  const { readConfigDocument } = await import("../config.ts");
  const documents: LogDocument[] = [];
  for (const source of sources) {
    const document = await readConfigDocument(source).catch(() => undefined);
    if (document) documents.push({ source, document });
  }
  const { settings } = mergeLogSettings(documents);
  return { settings, documents: new Map(documents.map(({ source, document }) => [source.path, document])) };
}
