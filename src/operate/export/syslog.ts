import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { hostname } from "node:os";
import { orAbsent } from "../../system/errors.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { classifyLine, type Outcome } from "../log/outcomes.ts";
import { openDatagramSocket } from "./datagram-socket.ts";

/** Syslog facility for security messages with restricted access. */
const AUTHPRIV = 10;
const SEVERITIES: Readonly<Record<Outcome, number>> = {
  failed: 3,
  denied: 4,
  asked: 5,
  warned: 5,
  withheld: 5,
  excepted: 5,
  rewritten: 6,
  passed: 6,
};
const getPriority = (line: LogLine) => AUTHPRIV * 8 + SEVERITIES[classifyLine(line)];

/** Socket paths of the local system log. */
const LOCAL_SOCKETS: Partial<Record<NodeJS.Platform, string>> = { linux: "/dev/log", darwin: "/var/run/syslog" };

/** Formats a line as a message no longer than the receiver's maximum. */
export type FormatMessage = (line: LogLine) => string;

/**
 * Creates a sender for a socket path, for tcp://HOST:PORT, or for the local system log if `to` is empty.
 * @throws Error for any other destination, or if the system doesn't have a local log.
 */
export function createSyslogSender(to: string, format: FormatMessage): (lines: readonly LogLine[]) => Promise<void> {
  if (!/^[a-z]+:/.test(to)) return createLocalSender(to, format);
  const { protocol, hostname: host, port } = new URL(to);
  if (protocol !== "tcp:" || host === "" || port === "")
    throw new Error(`--syslog must be a socket path or tcp://HOST:PORT, not "${to}"`);
  return (lines) =>
    sendByTcp(to, { host: host.replace(/^\[|\]$/g, ""), port: Number(port) }, frameMessages(lines, format));
}

const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats a message for the local system log: `<84>Nov 24 03:36:43 bridge-hooks[7]: …`. */
export function formatLocalMessage(line: LogLine, text: string): string {
  const at = new Date(line.time);
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0"));
  const day = String(at.getDate()).padStart(2, " ");
  return `<${getPriority(line)}>${MONTH_NAMES[at.getMonth()]} ${day} ${clock.join(":")} bridge-hooks[${process.pid}]: ${text}`;
}

/** Formats an RFC 5424 message: `<84>1 2026-11-24T03:36:43.000Z host bridge-hooks 7 decision - …`. */
export const formatMessage = (line: LogLine, text: string): string =>
  `<${getPriority(line)}>1 ${line.time} ${hostname().replace(/[^!-~]/g, "") || "-"} bridge-hooks ${process.pid} decision - ${text}`;

function createLocalSender(target: string, format: FormatMessage): (lines: readonly LogLine[]) => Promise<void> {
  const path = target === "" ? LOCAL_SOCKETS[process.platform] : target;
  if (path === undefined) throw new Error("this system has no local syslog; pass a daemon: --syslog=tcp://HOST:PORT");
  return async (lines) => {
    // Don't check the file type: the socket's path is often a link.
    if (orAbsent(() => lstatSync(path)) === undefined)
      throw new Error(`no syslog socket at ${path}; start a syslog daemon, or pass another socket: --syslog=PATH`);
    const socket = openDatagramSocket(path);
    try {
      for (const line of lines) socket.send(Buffer.from(formatLocalMessage(line, format(line))));
    } finally {
      socket.close();
    }
  };
}

/** Prefixes each message with its length (RFC 6587), so a message's contents can't start a new message. */
const frameMessages = (lines: readonly LogLine[], format: FormatMessage): Buffer =>
  Buffer.concat(
    lines.flatMap((line) => {
      const message = Buffer.from(formatMessage(line, format(line)));
      return [Buffer.from(`${message.length} `), message];
    }),
  );

/** Connection timeout in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Sends each batch over its own connection. The receiver's only confirmation is that it reads the whole batch and
 * closes the connection.
 */
const sendByTcp = (name: string, receiver: { host: string; port: number }, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(receiver, () => socket.end(bytes));
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(`${name} did not accept the lines: ${reason}`));
    };
    socket.setTimeout(TIMEOUT_MS, () => fail(`the connection was not closed within ${TIMEOUT_MS / 1000} s`));
    socket.on("error", ({ message }) => fail(message));
    socket.on("close", (hadError) => (hadError ? undefined : resolve()));
    socket.resume();
  });
