import type { Env } from "../../core/host.ts";
import type { Finding } from "../../core/setup.ts";
import { HOSTILE } from "../selftest.ts";

/** Variables by which the system loads foreign code into every program. */
const LOADS = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH|LD_LIBRARY_PATH)$/;

/** What of this environment reaches a hook's process from a host that is started here. */
export function environmentFindings(env: Env): Finding[] {
  const names = Object.keys(env).filter((name) => env[name]);
  const loads = names.filter((name) => LOADS.test(name));
  const runtime = names.filter((name) => name in HOSTILE || /^BUN_(JSC_|INSPECT)|^MIMALLOC_/.test(name));
  const found: Finding[] = [];
  if (loads.length > 0) {
    found.push({
      check: "environment-loads-code",
      level: "red",
      what: `the environment has ${loads.join(", ")}`,
      means: "the system loads that code into every program, hooks too: it can let anything pass",
      mend: `unset ${loads.join(" ")}, and start the host again`,
    });
  }
  if (runtime.length > 0) {
    found.push({
      check: "environment-runtime",
      level: "note",
      what: `the environment has ${runtime.join(", ")}`,
      means: "switches of a JavaScript runtime; this executable does not obey them",
      mend: "nothing for bridge-hooks; look who set them",
    });
  }
  return found;
}
