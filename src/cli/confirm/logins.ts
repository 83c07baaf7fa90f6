import type { ProcessFacts, TerminalFacts } from "./facts.ts";

const isSshServer = ({ name }: ProcessFacts) => /^(?:sshd(?:-\w+)?|dropbear)$/.test(name);

/** The ssh server at the beginning of a chain: its processes, the nearest first; undefined for anything else. */
export function findSsh(chain: readonly ProcessFacts[]): readonly ProcessFacts[] | undefined {
  const end = chain.findIndex((process) => !isSshServer(process));
  const servers = end < 0 ? chain : chain.slice(0, end);
  return servers.length > 0 ? servers : undefined;
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;

/** Whether an ssh connection comes from the machine itself: by the login service, or else by the login's variables. */
export function isFromThisMachine(
  { addresses, findRemoteHost }: TerminalFacts,
  ssh: readonly ProcessFacts[],
  leader: ProcessFacts,
): boolean {
  const noted = ssh.map(({ pid }) => findRemoteHost(pid)).find((host) => host !== undefined);
  const [stated] = (leader.environment?.SSH_CONNECTION ?? leader.environment?.SSH_CLIENT ?? "").split(" ");
  return [noted, stated].some((host) => host !== undefined && (LOOPBACK.test(host) || addresses.includes(host)));
}

const LOGIN = /^(?:sshd|dropbear|login|agetty|getty|greetd|[a-z]*dm(?:-|$)|sddm-helper)/;

/** Whether no login is above a process: only the system's first process, or the services of the account. */
export const isDetached = ([own, ...above]: readonly ProcessFacts[]): boolean =>
  !above.some(
    ({ isRoot, pid, account, name }) => isRoot && pid !== 1 && (account !== own?.account || LOGIN.test(name)),
  );
