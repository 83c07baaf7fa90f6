import type { ProcessFacts, TerminalFacts } from "./facts.ts";

const isSshServer = ({ name }: ProcessFacts) => /^(?:sshd(?:-\w+)?|dropbear)$/.test(name);

/** The ssh server at the beginning of a chain: its processes, the nearest first; undefined for anything else. */
export function findSsh(chain: readonly ProcessFacts[]): readonly ProcessFacts[] | undefined {
  const end = chain.findIndex((process) => !isSshServer(process));
  const servers = end < 0 ? chain : chain.slice(0, end);
  return servers.length > 0 ? servers : undefined;
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;

/**
 * Why an ssh connection does not count: it comes from this machine, by the login service or else by the variables of its
 * shell, or does not say where it comes from.
 */
export function findSshFlaw(
  { addresses, findRemoteHost }: TerminalFacts,
  ssh: readonly ProcessFacts[],
  leader: ProcessFacts,
): string | undefined {
  const noted = ssh.map(({ pid }) => findRemoteHost(pid)).find((host) => host !== undefined);
  const [stated] = (leader.environment?.SSH_CONNECTION ?? "").split(" ");
  const hosts = [noted, stated].filter(Boolean) as string[];
  if (hosts.length === 0)
    return "this ssh connection does not say where it comes from (SSH_CONNECTION); log in again, and run it in that shell";
  return hosts.some((host) => LOOPBACK.test(host) || addresses.includes(host))
    ? "this ssh connection comes from this machine; run it in the terminal that you are at"
    : undefined;
}

const LOGIN =
  /^(?:sshd(?:-\w+)?|dropbear|login|a?getty|greetd|ly|slim|emptty|lemurs|[a-z]*dm(?:-.*)?|\d*\w*dm-helper)$/;

/** Whether a process is part of a login: nothing that a user started. */
export const isLogin = ({ isRoot, name }: ProcessFacts): boolean => isRoot && LOGIN.test(name);

/** Whether no login is above a process: only the system's first process, or the services of the account. */
export const isDetached = ([, ...above]: readonly ProcessFacts[]): boolean => !above.some(isLogin);
