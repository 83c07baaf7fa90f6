import { type CapabilityCells, pickCell, type Support } from "../../src/protocol/capability.ts";
import {
  findFirstProblem,
  findRunProblem,
  hasFired,
  hasReachedModel,
  type HostCase,
  type HostDriver,
  readProjectFile,
} from "./driver.ts";
import type { ProbeFault } from "./plan.ts";
import type { RunSetup } from "./run.ts";

const REASON = "no, says the probe";
const CONTEXT = "so says the probe";

/** Ways a hook can fail. The exception is `noise`: a hook that prints noise still answers. */
const FAILURES: Readonly<Record<Exclude<ProbeFault, "wait">, { says: string; flags?: string; answers?: true }>> = {
  throw: { says: "throws" },
  hang: { says: "never answers", flags: "--timeout-ms 1000" },
  loop: { says: "loops", flags: "--timeout-ms 1000" },
  exit: { says: "ends the process" },
  rubbish: { says: "returns an invalid response" },
  noise: { says: "prints noise and returns context", answers: true },
};

const script = (...calls: RunSetup["script"]["main"][number]["calls"] & object): RunSetup["script"] => ({
  main: [...calls.map((call) => ({ calls: [call] })), { text: "FINAL" }],
});

/** Builds cases that deny or allow one call of each tool and check whether the tool ran. */
export function actionCases({ actions, shown, sharesCalls }: HostDriver, event: string): HostCase[] {
  const listed = Object.entries(actions);
  const shared = listed.filter(([, { setup }]) => sharesCalls && !setup?.script);
  const common: Omit<RunSetup, "script"> = Object.assign({}, ...shared.map(([, { setup }]) => setup), {
    files: Object.assign({}, ...shared.map(([, { setup }]) => setup?.files)) as RunSetup["files"] & object,
  });
  // Calls this one depends on come first and are allowed.
  const first = shared.flatMap(([, { calls }]) => calls.slice(0, -1));
  const refuse = (name: string) => ({ decision: "deny", reason: `${REASON} about ${name}` }) as const;
  const denied: RunSetup = {
    ...common,
    script: script(...first, ...shared.flatMap(([, { calls }]) => calls.slice(-1))),
    plan: shared.map(([name, { tool }]) => ({ event, tool, after: first.length, answer: refuse(name) })),
  };
  const passing: RunSetup = { ...common, script: script(...shared.flatMap(([, { calls }]) => calls)) };
  const isShared = (name: string) => shared.some(([one]) => one === name);
  const getProblem = (run: Parameters<HostCase["judge"]>[0], tool: string) =>
    findFirstProblem(findRunProblem(run), !hasFired(run, event, { tool }) && `the executable did not run for ${tool}`);
  return [
    ...listed.map(([name, { calls, tool, done, setup }]): HostCase => ({
      name: `a denial of ${name} is enforced`,
      rebuilds: true,
      setup: isShared(name)
        ? denied
        : { script: script(...calls), ...setup, plan: [{ event, tool, answer: refuse(name) }] },
      judge: (run) =>
        findFirstProblem(
          getProblem(run, tool),
          done(run) && "the call took place",
          !hasReachedModel(run, refuse(name).reason) && "the model did not get the reason",
          hasReachedModel(run, "to allow this call, run") && "the model was told how to allow the call",
        ),
    })),
    ...listed.map(([name, { calls, tool, done, setup }]): HostCase => ({
      name: `${name} runs without a message if no hook objects`,
      rebuilds: true,
      setup: isShared(name) ? passing : { script: script(...calls), ...setup },
      judge: (run) =>
        findFirstProblem(
          getProblem(run, tool),
          !done(run) && "the call did not take place",
          /bridge-hooks:/.test(shown(run)) && "the user saw a message from bridge-hooks",
          hasReachedModel(run, "bridge-hooks:") && "the model got a text from bridge-hooks",
        ),
    })),
  ];
}

/** Builds a case for each way a hook can fail. Failures that need the same flags share a session. */
export function failureCases({ host, bash, says }: HostDriver, event: string): HostCase[] {
  const takesContext =
    pickCell(host.capabilities[event]?.().additional_context as CapabilityCells<Support>, says).support === "native";
  const getFile = (way: string) => `marker-${way}.txt`;
  const groups = Map.groupBy(Object.entries(FAILURES), ([, { flags = "" }]) => flags);
  return [...groups].flatMap(([flags, group]) => {
    const failing = group.filter(([, { answers }]) => !answers).length;
    const buildSetup = (policy: string): RunSetup => ({
      script: script(...group.map(([way]) => bash(`echo original > ${getFile(way)}`))),
      flags: `--on-error ${policy} ${flags}`,
      plan: group.map(([way, { answers }]) => ({
        event,
        has: getFile(way),
        way: way as ProbeFault,
        answer: answers && { additional_context: CONTEXT },
      })),
    });
    return (["allow", "deny"] as const).flatMap((policy) =>
      group.map(([way, { says, answers }]): HostCase => ({
        name: `a hook that ${says}: --on-error ${policy}`,
        setup: buildSetup(policy),
        judge: (run) => {
          const holds = !answers && policy === "deny";
          const passed = readProjectFile(run, getFile(way)) !== undefined;
          const told = Math.max(
            ...run.requests.map(({ text }) => text.split("its failure policy is to deny").length - 1),
          );
          return findFirstProblem(
            findRunProblem(run),
            !run.calls.some(({ payload }) => JSON.stringify(payload).includes(getFile(way))) &&
              "the executable did not run",
            holds === passed && (holds ? "the call took place" : "the call did not take place"),
            holds && told < failing && `the model got the reason ${told} times, not ${failing}`,
            Boolean(answers) && takesContext && !hasReachedModel(run, CONTEXT) && "the model did not get the context",
            hasReachedModel(run, "NOISE") && "the model got the noise",
          );
        },
      })),
    );
  });
}
