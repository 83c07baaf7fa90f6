import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { CODE_LOADING_VARIABLES, PROGRAM_ENDING_VARIABLES } from "../../hosts/setup/harmful-variables.ts";
import type { Env } from "../../protocol/host/host.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { HOSTILE_VARIABLES } from "../build/selftest.ts";

/** Checks the environment variables that a host started here would pass to hooks. */
export function checkEnvironment(env: Env): Finding[] {
  const names = Object.keys(env).filter((name) => env[name]);
  const codeLoadingNames = names.filter((name) => CODE_LOADING_VARIABLES.test(name));
  // These LD_ variables take effect even when empty. GLIBC_TUNABLES and MALLOC_ variables aren't reported, because
  // users have good reasons to set them.
  const programEndingNames = Object.keys(env).filter(
    (name) => name.startsWith("LD_") && PROGRAM_ENDING_VARIABLES.test(name),
  );
  const runtime = names.filter(
    (name) => name in HOSTILE_VARIABLES || /^(BUN_(JSC_|INSPECT)|JSC_|MIMALLOC_)/.test(name),
  );
  const findings: Finding[] = [];
  if (codeLoadingNames.length > 0) {
    const impact = "the system loads that code into every program, including hooks, so the code can allow any call";
    findings.push(
      createRedFinding(
        "environment-loads-code",
        `the environment contains ${codeLoadingNames.join(", ")}`,
        impact,
        `unset ${codeLoadingNames.join(" ")} and restart the host`,
      ),
    );
  }
  if (programEndingNames.length > 0) {
    const impact = "the loader may kill every hook, or print text before a hook's answer, so calls are allowed";
    findings.push(
      createRedFinding(
        "environment-ends-programs",
        `the environment contains ${programEndingNames.join(", ")}`,
        impact,
        `unset ${programEndingNames.join(" ")} and restart the host`,
      ),
    );
  }
  if (runtime.length > 0) {
    const impact = "these JavaScript runtime switches have no effect on this executable";
    findings.push(
      createNote(
        "environment-runtime",
        `the environment contains ${runtime.join(", ")}`,
        impact,
        "nothing to fix in bridge-hooks; find out which program set these variables",
      ),
    );
  }
  return findings;
}
