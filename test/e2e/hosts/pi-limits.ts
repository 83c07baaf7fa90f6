import { join } from "node:path";
import {
  countModelRequests,
  findFirstProblem,
  findRunProblem,
  type HostCase,
  hasMarker,
  judgeSkippedHooks,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { buildInstallAction } from "../install-cases.ts";
import { releases } from "../releases.ts";
import type { RunSetup } from "../run.ts";
import { AGENT, base, denial, denying, FINAL, hasReachedEnd, MARK, judgeHeldDenial } from "./pi-scenarios.ts";

const PASS_ALL = "export default () => {};\n";
const doctor = { line: ["doctor", "--host", "pi"], code: "any" } as const;

/** pi has no built-in subagents. An example in its package runs each subagent in a separate pi process. */
const EXAMPLE = join(
  releases.findLast(({ host }) => host === "pi")?.folder ?? "",
  "node_modules/@earendil-works/pi-coding-agent/examples/extensions/subagent/index.ts",
);

/** Files that keep pi from loading the extension, each with the doctor check that detects it. */
const HIDING: readonly [what: string, check: string, files: RunSetup["files"]][] = [
  [
    "a module that represents the whole directory",
    "is loaded in place of its whole directory",
    { [`${AGENT}/extensions/index.js`]: PASS_ALL },
  ],
  [
    "a package that represents the whole directory",
    "is loaded in place of its whole directory",
    {
      [`${AGENT}/extensions/package.json`]: '{ "pi": { "extensions": ["./other.js"] } }',
      [`${AGENT}/extensions/other.js`]: PASS_ALL,
    },
  ],
  [
    "a .gitignore in the same directory",
    "excludes bridge-hooks.js",
    { [`${AGENT}/extensions/.gitignore`]: "bridge-*\n" },
  ],
  [
    "an exclusion in the settings",
    "in extensions",
    { [`${AGENT}/settings.json`]: '{ "extensions": ["-extensions/bridge-hooks.js"] }' },
  ],
  [
    "a pattern in the settings",
    "in extensions",
    { [`${AGENT}/settings.json`]: '{ "extensions": ["!**/bridge-*.js"] }' },
  ],
];

const hidingCases = HIDING.map(([what, words, files]): HostCase => ({
  name: `limit: ${what}: the executable doesn't run, and doctor is red`,
  setup: { ...base, ...denying, files, steps: [{ before: [buildInstallAction("install", "user", ["pi"]), doctor] }] },
  judge: (run) =>
    findFirstProblem(
      findRunProblem(run),
      run.sessions.at(-1)?.calls.some(({ native_event }) => native_event === "tool_call") &&
        "the executable ran: the limit no longer applies; update docs/hosts/pi.md",
      !hasMarker(run) && "the call did not take place",
      !run.executableOutput.at(-1)?.includes(words) && `doctor is not red: ${run.executableOutput.at(-1)}`,
    ),
}));

const gone = { ...base, executable: "/nonexistent/bridge-hooks" } satisfies RunSetup;

/** Cases in which pi doesn't run the hooks, and what then happens to the calls. */
export const limitCases: readonly HostCase[] = [
  {
    name: "a missing executable with the policy to allow: pi starts, and calls take place",
    setup: { ...gone, plan: [] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasMarker(run) && "the call did not take place",
        !hasReachedEnd(run) && "pi did not continue",
        !run.sessions[0]?.stderr.includes("bridge-hooks doctor") && "the user was not told",
      ),
  },
  {
    name: "a missing executable with the policy to deny: pi starts, and the model gets no prompt",
    setup: { ...gone, flags: "--on-error deny" },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        countModelRequests(run, "main") > 0 && "the model got the prompt",
        run.sessions[0]?.code !== 0 && "pi did not end properly",
        !run.sessions[0]?.stderr.includes("bridge-hooks doctor") && "the user was not told",
      ),
  },
  {
    name: "limit: --no-extensions starts pi without hooks",
    setup: { ...base, ...denying, steps: [{ args: ["--no-extensions"] }] },
    judge: judgeSkippedHooks,
  },
  {
    name: "limit: in an untrusted directory, the project's hooks do not run, and doctor is red",
    setup: {
      ...base,
      ...denying,
      steps: [{ before: [buildInstallAction("install", "project", ["pi"]), doctor] }],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        run.sessions.at(-1)?.calls.some(({ native_event }) => native_event === "tool_call") && "the executable ran",
        !hasMarker(run) && "the call did not take place",
        !run.executableOutput.at(-1)?.includes("does not trust") && `doctor is not red: ${run.executableOutput.at(-1)}`,
      ),
  },
  {
    name: "in a directory trusted by pi, the project's hooks run, and doctor is not red",
    setup: {
      ...base,
      ...denying,
      files: { [`${AGENT}/trust.json`]: '{ "/": true }' },
      steps: [{ before: [buildInstallAction("install", "project", ["pi"]), doctor] }],
    },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        run.executableOutput.at(-1)?.includes("does not trust") && `doctor is red: ${run.executableOutput.at(-1)}`,
      ),
  },
  ...hidingCases,
  {
    name: "install and uninstall don't change the files of other extensions",
    setup: {
      ...base,
      files: { [`${AGENT}/extensions/other.js`]: PASS_ALL, [`${AGENT}/extensions/tool/index.ts`]: PASS_ALL },
      steps: [
        { before: [buildInstallAction("install", "user", ["pi"]), buildInstallAction("uninstall", "user", ["pi"])] },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        run.calls.length > 0 && "the executable ran",
        [`${AGENT}/extensions/other.js`, `${AGENT}/extensions/tool/index.ts`].some(
          (file) => readProjectFile(run, file) !== PASS_ALL,
        ) && "the files of other extensions changed",
        readProjectFile(run, `${AGENT}/extensions/bridge-hooks.js`) !== undefined && "our file remains",
      ),
  },
  {
    name: "an extension that can't be loaded keeps pi from starting, whatever is installed",
    setup: { ...base, ...denying, files: { [`${AGENT}/extensions/broken.js`]: "throw new Error('load');\n" } },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasMarker(run) && "the call took place",
        run.sessions[0]?.code === 0 && "pi started",
      ),
  },
  {
    name: "limit: an extension loaded after ours changes an allowed call",
    setup: {
      ...base,
      plan: [],
      files: {
        [`${AGENT}/extensions/zz.js`]:
          'export default (pi) => pi.on("tool_call", ({ input }) => void (input.command = "echo CHANGED > marker.txt"));\n',
      },
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        JSON.stringify(run.calls).includes("CHANGED > marker") &&
          !run.calls.some(({ native_event }) => native_event === "tool_result") &&
          "the executable saw the change before the call ran",
        readProjectFile(run, "marker.txt") !== "CHANGED\n" && "the change had no effect: the limit no longer applies",
      ),
  },
  {
    name: "the subagents of pi's own example are also guarded",
    setup: {
      script: {
        main: [{ calls: [{ name: "subagent", input: { agent: "worker", task: "SUBAGENT, do it" } }] }, FINAL],
        subagent: [{ calls: [MARK] }, { text: "SUBDONE" }],
      },
      ...denying,
      plan: [{ event: "tool_call", tool: "bash", answer: denial }],
      files: {
        [`${AGENT}/extensions/subagent.ts`]: `export { default } from ${JSON.stringify(EXAMPLE)};\n`,
        [`${AGENT}/agents/worker.md`]: "---\nname: worker\ndescription: works\nmodel: mock/mock\n---\nWork.\n",
      },
    },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        countModelRequests(run, "subagent") < 2 && "the subagent's call was not reported",
        !run.requests.some(({ who, text }) => who === "subagent" && text.includes(TOKENS.reason)) &&
          "the subagent did not get the reason",
      ),
  },
];
