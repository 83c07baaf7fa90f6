import { listChain, type ProcessFacts, type TerminalFacts, type TerminalVerdict } from "./facts.ts";
import { judgeMaker } from "./judge-maker.ts";
import { findAgent, findAgentVariable, findEditor, findEditorVariable } from "./programs.ts";

// Who confirms: the decision table. The first row that fits decides; the rows of the maker are in judge-maker.ts.
//
// | what is seen                                                      | outcome                                |
// | ----------------------------------------------------------------- | -------------------------------------- |
// | a user namespace maps account numbers                             | refused: owners can't be told          |
// | no controlling terminal                                           | refused                                |
// | this process, or one above it, is an agent                        | refused                                |
// | … is an editor, or its terminal variables show one                | refused: agents type into its terminals |
// | … has a variable that only an agent's children have               | refused                                |
// | … is being debugged                                               | refused                                |
// | the session's leader is not above this process                    | refused: it was detached               |
// | the terminal's maker can't be seen                                | refused                                |
// | the maker is `sudo`, `su`, `doas`, `pkexec` or `login`, as root   | decided by the terminal that it is in  |
// | the terminal or its session's leader is younger than two seconds  | refused                                |
// | the maker is outside of this container                            | `container`                            |
// | a console made by root, a serial line made by a login             | `login-terminal`                       |
// | sshd as root, from this machine, or not saying from where         | refused                                |
// | sshd as root                                                      | `ssh`                                  |
// | WSL's relay, as root                                              | `wsl`                                  |
// | a terminal emulator, `tmux` or `screen`                           | the rows below                         |
// | anything else: `script`, `expect`, Python, init, a service        | refused                                |
//
// | of a terminal emulator, `tmux` or `screen`                        | outcome                                |
// | ----------------------------------------------------------------- | -------------------------------------- |
// | its program file can be replaced by this account, or not be seen  | refused                                |
// | its variables can't be seen, or load code into it                 | refused                                |
// | `systemd-run`, cron or at started it                              | refused                                |
// | no login is above it, and an agent of its control group is older  | refused                                |
// | an emulator on a display of Xvfb, a headless compositor, or an X  | refused                                |
// | server that an agent may have started                             |                                        |
// | an emulator                                                       | `terminal-emulator`                    |
// | no client of its socket is in a terminal that this table confirms | refused                                |
// | `tmux`, `screen`                                                  | `tmux`, `screen`                       |

const OTHER_TERMINAL_ADVICE = "run it in a terminal that you opened yourself, outside agents and editors";

/** Decides whether a person is at a process's terminal. */
export function judgeTerminal(facts: TerminalFacts): TerminalVerdict {
  if (!facts.hasRealAccounts)
    return {
      refusal:
        "user IDs are mapped by a user namespace, so this terminal can't be verified; run it outside this container or sandbox",
    };
  const editor = findEditorVariable(facts.environment);
  if (editor)
    return { refusal: `${editor.name} shows that ${editor.editor} runs this terminal; ${OTHER_TERMINAL_ADVICE}` };
  const variable = findAgentVariable(facts.environment);
  if (variable)
    return { refusal: `${variable.name} shows that ${variable.agent} started this; ${OTHER_TERMINAL_ADVICE}` };
  return judgeProcess(facts, facts.pid, new Set());
}

/**
 * Judges the terminal of a process.
 * @param seen The terminal creators already being judged.
 */
function judgeProcess(facts: TerminalFacts, pid: number, seen: ReadonlySet<number>): TerminalVerdict {
  const chain = listChain(facts, pid);
  const [own] = chain;
  if (!own) return { refusal: "processes can't be inspected (/proc is missing); run it where /proc is available" };
  if (own.terminal === undefined)
    return { refusal: "this process has no terminal; a person has to run it in their own terminal" };
  for (const process of chain) {
    const reason = findAncestorFlaw(process);
    if (reason !== undefined) return { refusal: reason };
  }
  return judgeMaker(facts, chain, seen, judgeProcess);
}

function findAncestorFlaw(process: ProcessFacts): string | undefined {
  const { name, pid, environment, isTraced } = process;
  const agent = findAgent(process);
  if (agent !== undefined) return `${agent} runs this terminal; run it in one that agents can't type into`;
  const editor = findEditor(process);
  if (editor !== undefined)
    return `${editor} runs this terminal, and its agents can type here; ${OTHER_TERMINAL_ADVICE}`;
  const variable = environment && findAgentVariable(environment);
  if (variable)
    return `${name} (process ${pid}) has ${variable.name}, so ${variable.agent} started this terminal; ${OTHER_TERMINAL_ADVICE}`;
  return isTraced ? `a debugger is attached to ${name} (process ${pid}); stop it and run this again` : undefined;
}
