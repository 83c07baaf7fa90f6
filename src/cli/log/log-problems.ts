import { suggestName } from "../../protocol/name-suggestions.ts";
import { isObject } from "../../protocol/object.ts";
import { LOG_KEYS, LOG_VALUES, type LogKey } from "../../run/log/log-settings.ts";

/** What is wrong in the `log` of a config file. */
interface LogProblem {
  /** Below `log`. */
  path: readonly string[];
  message: string;
  kind: "unknown" | "wrong";
}

/** Finds what is wrong in the settings of the decision log; the default counts in its place. */
export function findLogProblems(log: unknown): LogProblem[] {
  if (log === undefined) return [];
  if (!isObject(log))
    return [{ path: [], kind: "wrong", message: "must be an object; until it is fixed, the defaults apply" }];
  return Object.keys(log).flatMap((key): LogProblem[] => {
    if (!(LOG_KEYS as readonly string[]).includes(key))
      return [
        {
          path: [key],
          kind: "unknown",
          message: `unknown setting "${key}"${suggestName(key, LOG_KEYS) || `; known: ${LOG_KEYS.join(", ")}`}`,
        },
      ];
    const { isValid, expected } = LOG_VALUES[key as LogKey];
    return isValid(log[key])
      ? []
      : [{ path: [key], kind: "wrong", message: `must be ${expected}; until it is fixed, the default applies` }];
  });
}
