import { listProcessChain, type ProcessFacts, type TerminalFacts, type TerminalVerdict } from "./facts.ts";
import { judgeMaker } from "./judge-maker.ts";
import { findAgent, findAgentVariable, findEditor, findEditorVariable } from "./programs.ts";

// Decides whether a person can confirm in a terminal: the first matching row applies. The creator is the process that
// created the terminal; judge-maker.ts contains its rows.
//
// | condition                                                                 | outcome                           |
// | ------------------------------------------------------------------------- | --------------------------------- |
// | a user namespace maps user IDs                                            | refused: owners can't be verified |
// | this process has no controlling terminal                                  | refused                           |
// | this process or an ancestor is an agent                                   | refused                           |
// | this process or an ancestor is an editor or has an editor's variables     | refused: agents can type there    |
// | this process or an ancestor has a variable that only agents set           | refused                           |
// | a debugger is attached to this process or an ancestor                     | refused                           |
// | the session leader is not an ancestor of this process                     | refused: it was detached          |
// | the creator is hidden                                                     | refused                           |
// | the creator is `sudo`, `su`, `doas`, `pkexec` or `login` as root          | the creator's terminal decides    |
// | the terminal or its session leader is less than two seconds old           | refused                           |
// | the creator is outside this container                                     | `container`                       |
// | root created a console, or a login created a serial line                  | `login-terminal`                  |
// | the creator is sshd as root, and the origin is local or unknown           | refused                           |
// | the creator is sshd as root                                               | `ssh`                             |
// | the creator is WSL's relay as root                                        | `wsl`                             |
// | the creator is a terminal emulator, `tmux` or `screen`                    | the second table decides          |
// | the creator is anything else: `script`, `expect`, Python, init, a service | refused                           |
//
// | condition for a terminal emulator, `tmux` or `screen`                          | outcome             |
// | ------------------------------------------------------------------------------ | ------------------- |
// | this account can replace the program file, or can't see it                     | refused             |
// | the program's environment is hidden or loads code into the program             | refused             |
// | `systemd-run`, cron or at started the program                                  | refused             |
// | the program has no login ancestor, and its control group has an older agent    | refused             |
// | the emulator's display is Xvfb, headless, or an X server that an agent may run | refused             |
// | the program is an emulator                                                     | `terminal-emulator` |
// | no client of the multiplexer is in a terminal where a person can confirm       | refused             |
// | the program is `tmux` or `screen`                                              | `tmux`, `screen`    |

const OTHER_TERMINAL_ADVICE = "run the command in a terminal that you opened yourself, outside agents and editors";

/** Determines whether someone is sitting at a process's terminal. */
export function judgeTerminal(facts: TerminalFacts): TerminalVerdict {
  if (!facts.hasRealAccounts)
    return {
      refusal:
        "user IDs are mapped by a user namespace, so this terminal can't be verified; run the command outside this container or sandbox",
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
 * @param judgedServers multiplexer servers that are already being judged
 */
function judgeProcess(facts: TerminalFacts, pid: number, judgedServers: ReadonlySet<number>): TerminalVerdict {
  const chain = listProcessChain(facts, pid);
  const [own] = chain;
  if (!own)
    return { refusal: "processes can't be inspected (/proc is missing); run the command where /proc is available" };
  if (own.terminal === undefined)
    return { refusal: "this process has no terminal; a person must run the command in their own terminal" };
  for (const process of chain) {
    const reason = findAncestorFlaw(process);
    if (reason !== undefined) return { refusal: reason };
  }
  return judgeMaker(facts, chain, judgedServers, judgeProcess);
}

function findAncestorFlaw(process: ProcessFacts): string | undefined {
  const { name, pid, environment, isTraced } = process;
  const agent = findAgent(process);
  if (agent !== undefined)
    return `${agent} runs this terminal; run the command in a terminal that agents can't type into`;
  const editor = findEditor(process);
  if (editor !== undefined)
    return `${editor} runs this terminal, and its agents can type here; ${OTHER_TERMINAL_ADVICE}`;
  const variable = environment && findAgentVariable(environment);
  if (variable)
    return `${name} (process ${pid}) has ${variable.name} set, so ${variable.agent} started this terminal; ${OTHER_TERMINAL_ADVICE}`;
  return isTraced ? `a debugger is attached to ${name} (process ${pid}); stop it and run this again` : undefined;
}
