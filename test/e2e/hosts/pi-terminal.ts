import { findFirstProblem, findRunProblem, type HostCase, hasMarker, hasReachedModel, TOKENS } from "../driver.ts";
import type { HostRun, RunSetup } from "../run.ts";
import { base, denial, talking } from "./pi-scenarios.ts";

/** Runs a session in the terminal UI, from its first screen until it's quit. */
const typeIn = (setup: RunSetup, ...terminal: string[]): RunSetup => ({
  ...setup,
  steps: [{ terminal: ["/mock/", ...terminal, "+500", "/quit\r"] }],
});
const getScreen = ({ sessions }: HostRun) => sessions[0]?.stdout ?? "";
const judgeScreen = (run: HostRun, text: string) =>
  findFirstProblem(findRunProblem(run), !getScreen(run).includes(text) && `the screen does not show ${text}`);
const asking: Pick<RunSetup, "plan"> = {
  plan: [{ event: "tool_call", answer: { decision: "ask", reason: TOKENS.reason } }],
};

/** Cases for what a user sees and does in the terminal UI. */
export const terminalCases: readonly HostCase[] = [
  {
    name: "at a terminal: an ask that the user confirms, and the call runs",
    setup: { ...typeIn(base, "do it\r", `/${TOKENS.reason}/`, "\r", "/FINAL/"), ...asking },
    judge: (run) => findFirstProblem(judgeScreen(run, TOKENS.reason), !hasMarker(run) && "the call did not take place"),
  },
  {
    name: "at a terminal: an ask that the user cancels, and the call does not run",
    setup: { ...typeIn(base, "do it\r", `/${TOKENS.reason}/`, "\u001b", "/FINAL/"), ...asking },
    judge: (run) =>
      findFirstProblem(
        judgeScreen(run, TOKENS.reason),
        hasMarker(run) && "the call took place",
        !hasReachedModel(run, "The user declined this call.") && "the model was not told who declined the call",
      ),
  },
  {
    name: "at a terminal: a rejected prompt, and the user reads the reason",
    setup: { ...typeIn(talking, "do it\r", `/${TOKENS.reason}/`), plan: [{ event: "input", answer: denial }] },
    judge: (run) =>
      findFirstProblem(judgeScreen(run, TOKENS.reason), run.requests.length > 0 && "the model got the prompt"),
  },
  {
    name: "at a terminal: a user's command that its hook denies, and the user reads the reason",
    setup: {
      ...typeIn(talking, "!echo original > marker.txt\r", `/${TOKENS.reason}/`),
      plan: [{ event: "user_bash", answer: denial }],
    },
    judge: (run) => findFirstProblem(judgeScreen(run, TOKENS.reason), hasMarker(run) && "the command ran"),
  },
];
