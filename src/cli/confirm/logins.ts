import type { ProcessFacts, TerminalFacts } from "./facts.ts";

const isSshServer = ({ name }: ProcessFacts) => /^(?:sshd(?:-\w+)?|dropbear)$/.test(name);

/**
 * Returns the SSH server processes at the start of a chain, nearest first, or undefined if it doesn't start with one.
 */
export function findSshAncestors(chain: readonly ProcessFacts[]): readonly ProcessFacts[] | undefined {
  const end = chain.findIndex((process) => !isSshServer(process));
  const servers = end < 0 ? chain : chain.slice(0, end);
  return servers.length > 0 ? servers : undefined;
}

const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;

/**
 * Explains why an SSH connection isn't accepted: according to the login service or the shell's variables, it comes from
 * this machine or from an unknown origin.
 */
export function findSshFlaw(
  { addresses, findRemoteHost }: TerminalFacts,
  ssh: readonly ProcessFacts[],
  leader: ProcessFacts,
): string | undefined {
  const remoteHost = ssh.map(({ pid }) => findRemoteHost(pid)).find((host) => host !== undefined);
  const [stated] = (leader.environment?.SSH_CONNECTION ?? "").split(" ");
  const hosts = [remoteHost, stated].filter(Boolean) as string[];
  if (hosts.length === 0)
    return "the origin of this ssh connection is unknown (SSH_CONNECTION); log in again and run the command there";
  return hosts.some((host) => LOOPBACK_ADDRESS.test(host) || addresses.includes(host))
    ? "this ssh connection comes from this machine; run the command in your own terminal"
    : undefined;
}

const LOGIN_PROGRAM =
  /^(?:sshd(?:-\w+)?|dropbear|login|a?getty|greetd|ly|slim|emptty|lemurs|[a-z]*dm(?:-.*)?|\d*\w*dm-helper)$/;

/** Whether a process belongs to a login and wasn't started by a user. */
export const isLoginProcess = ({ isRoot, name }: ProcessFacts): boolean => isRoot && LOGIN_PROGRAM.test(name);

/** Whether a process has no login among its ancestors, only init or the account's services. */
export const hasNoLoginAncestor = ([, ...above]: readonly ProcessFacts[]): boolean => !above.some(isLoginProcess);
