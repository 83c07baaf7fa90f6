import type * as Os from "node:os";

const LOOPBACK =
  /^(?:localhost|ip6-localhost|127(?:\.\d+){0,3}|::1|0(?:\.0){0,3}|\$\(hostname\)|`hostname`|\$\{?HOSTNAME\}?)$/i;
const getHostName = (host: string) => host.replace(/^(?:ssh:\/\/)?(?:[^@]*@)?/, "").replace(/^\[|\](?::\d+)?$/g, "");

/** Whether a word is a host name that refers to the local machine on every system, such as `localhost`. */
export const isLoopback = (word: string): boolean => word !== "0" && LOOPBACK.test(getHostName(word));

/**
 * Whether a host name refers to the local machine: a name that is local on every system, or this machine's own name.
 */
export const isLocalHost = (host: string): boolean =>
  LOOPBACK.test(getHostName(host)) || getHostName(host) === (require("node:os") as typeof Os).hostname();
