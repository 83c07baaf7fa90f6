import { basename } from "node:path";
import { listProcessChain, type ProcessFacts, type TerminalFacts } from "./facts.ts";
import { hasNoLoginAncestor } from "./logins.ts";
import { findAgent, findEditor, VIRTUAL_DISPLAYS } from "./programs.ts";

/**
 * Finds an agent, or an editor with an agent, that could have started a process. This is possible if the process has no
 * login ancestor and the agent was already running in the process's group.
 */
export function findOlderAgent(
  facts: TerminalFacts,
  { pid, startTime, group, account }: ProcessFacts,
): string | undefined {
  if (!hasNoLoginAncestor(listProcessChain(facts, pid))) return undefined;
  for (const process of facts.processes.values()) {
    const isSameGroup = process.account === account && (group === "/" || [group, "/"].includes(process.group));
    const agent =
      isSameGroup && process.startTime <= startTime ? (findAgent(process) ?? findEditor(process)) : undefined;
    if (agent !== undefined) return agent;
  }
  return undefined;
}

const COMPOSITOR = /^(?:weston|mutter|gnome-shell|kwin_wayland|sway|cage|labwc|gamescope|hyprland)$/i;
const X_SERVER_PROGRAM = /^X(?:org|wayland|vnc|tigervnc|[a-z]+)?$/;
const isXDisplay = (word: string) => /^:\d+$/.test(word);

/** Finds an emulator's display server if its windows are invisible or an agent could have started it. */
export function findUntrustedDisplay(facts: TerminalFacts, { environment, words }: ProcessFacts): string | undefined {
  const displayArgument = words[words.findIndex((word) => /^--?display$/.test(word)) + 1];
  const displays = [environment?.DISPLAY, displayArgument].flatMap(
    (value) => /^[^:]*(:\d+)/.exec(value ?? "")?.[1] ?? [],
  );
  const socket = environment?.WAYLAND_DISPLAY;
  for (const server of facts.processes.values()) {
    const names = [server.name, basename(server.executable ?? ""), basename(server.words[0] ?? "")];
    const isVirtual = names.some((name) => VIRTUAL_DISPLAYS.has(name));
    const isHeadless =
      socket !== undefined &&
      names.some((name) => COMPOSITOR.test(name)) &&
      server.words.some((word) => /^--(?:backend=)?headless/.test(word));
    // A server whose arguments contain no display number could serve any display.
    const isDisplayServer = displays.some(
      (display) => server.words.includes(display) || (isVirtual && !server.words.some(isXDisplay)),
    );
    const mayBeAgentStarted =
      isVirtual || (names.some((name) => X_SERVER_PROGRAM.test(name)) && findOlderAgent(facts, server) !== undefined);
    if ((isDisplayServer && mayBeAgentStarted) || (isHeadless && isSocketServer(server, socket))) return server.name;
  }
  return undefined;
}

const isSocketServer = ({ words }: ProcessFacts, socket: string) =>
  words.some((word) => word.endsWith(socket)) ||
  !words.some((word) => /^(?:-S|--(?:socket|wayland-display)\b)/.test(word));
