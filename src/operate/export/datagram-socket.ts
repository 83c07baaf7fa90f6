import { ffi, openLibrary } from "../../system/c-library.ts";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MAX_PATH_BYTES = 104;
/** SO_SNDTIMEO limits how long sending may take. Without it, a hung daemon would block the export. */
const SEND_TIMEOUT: Partial<Record<NodeJS.Platform, { level: number; option: number }>> = {
  linux: { level: 1, option: 20 + 1 },
  darwin: { level: 0xffff, option: 0x1005 },
};
const TIMEOUT_SECONDS = 5;

/** A Unix datagram socket, which the system log requires. The runtime itself supports only Unix stream sockets. */
export interface DatagramSocket {
  /** @throws Error if the message wasn't accepted. */
  send: (message: Uint8Array) => void;
  close: () => void;
}

/**
 * Opens a Unix datagram socket.
 * @throws Error if the C library is unavailable or the path is too long.
 */
export function openDatagramSocket(path: string): DatagramSocket {
  const library = openLibrary({
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const address = createAddress(path);
  if (!library || !address)
    throw new Error(`${path}: this system can't send to datagram sockets; use --syslog=tcp://HOST:PORT`);
  const { socket, setsockopt, sendto, close } = library;
  const fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd < 0) throw new Error(`${path}: can't open a socket`);
  const limit = SEND_TIMEOUT[process.platform];
  // A `timeval` structure: seconds, then microseconds.
  const time = new BigInt64Array([BigInt(TIMEOUT_SECONDS), 0n]);
  if (limit) setsockopt(fd, limit.level, limit.option, ffi.ptr(time), time.byteLength);
  return {
    send(message) {
      const sentBytes = sendto(fd, ffi.ptr(message), message.length, 0, ffi.ptr(address), address.length);
      if (Number(sentBytes) !== message.length)
        throw new Error(
          `${path} rejected a message of ${message.length} bytes; check that the syslog daemon is running`,
        );
    },
    close: () => void close(fd),
  };
}

/**
 * Builds a `sockaddr_un` structure. It starts with a length byte on macOS, and with a two-byte address family on other
 * systems.
 */
function createAddress(path: string): Uint8Array | undefined {
  const bytes = Buffer.from(`${path}\0`);
  if (bytes.length > MAX_PATH_BYTES) return undefined;
  const head = process.platform === "darwin" ? [bytes.length + 2, AF_UNIX] : [AF_UNIX, 0];
  return Buffer.concat([Buffer.from(head), bytes]);
}
