import { connect } from "node:net";

/** A notification that a program has requested. */
export interface ShownNotification {
  application: string;
  title: string;
  text: string;
}

const [CALL, RETURN] = [1, 2];
const [PATH, INTERFACE, MEMBER, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE] = [1, 2, 3, 5, 6, 7, 8];

const align = (at: number, to: number) => Math.ceil(at / to) * to;
const pad = (bytes: Buffer, to: number) => Buffer.concat([bytes, Buffer.alloc(align(bytes.length, to) - bytes.length)]);

function writeUint(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
const writeText = (text: string) => Buffer.concat([writeUint(Buffer.byteLength(text)), Buffer.from(`${text}\0`)]);
const writeSignature = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(`${text}\0`)]);

/** A string, a number, or an array of strings. */
type Value = string | number | string[];
const nameType = (value: Value) => (typeof value === "string" ? "s" : typeof value === "number" ? "u" : "as");

function writeBody(values: readonly Value[]): Buffer {
  let bytes = Buffer.alloc(0);
  for (const value of values) {
    const texts = () =>
      (value as string[]).reduce((all, one) => Buffer.concat([pad(all, 4), writeText(one)]), bytes.subarray(0, 0));
    const part =
      typeof value === "string" ? writeText(value) : typeof value === "number" ? writeUint(value) : undefined;
    bytes = Buffer.concat([pad(bytes, 4), part ?? Buffer.concat([writeUint(texts().length), texts()])]);
  }
  return bytes;
}

type Field = [code: number, type: "s" | "o" | "g" | "u", value: string | number];

function writeMessage(kind: number, serial: number, fields: readonly Field[], values: readonly Value[]): Buffer {
  const body = writeBody(values);
  const all: Field[] = values.length === 0 ? [...fields] : [...fields, [SIGNATURE, "g", values.map(nameType).join("")]];
  let list = Buffer.alloc(0);
  for (const [code, type, value] of all) {
    const head = Buffer.concat([pad(list, 8), Buffer.from([code]), writeSignature(type)]);
    const content =
      type === "u"
        ? writeUint(value as number)
        : type === "g"
          ? writeSignature(value as string)
          : writeText(value as string);
    list = Buffer.concat([type === "g" ? head : pad(head, 4), content]);
  }
  const start = Buffer.concat([
    Buffer.from(["l".charCodeAt(0), kind, 0, 1]),
    writeUint(body.length),
    writeUint(serial),
  ]);
  return Buffer.concat([pad(Buffer.concat([start, writeUint(list.length), list]), 8), body]);
}

interface Message {
  kind: number;
  serial: number;
  member: string;
  sender: string;
  body: Buffer;
}

/** Parses the first message in the bytes received; undefined if it's incomplete. */
function readMessage(bytes: Buffer): { message: Message; length: number } | undefined {
  if (bytes.length < 16) return undefined;
  const end = 16 + bytes.readUInt32LE(12);
  const length = align(end, 8) + bytes.readUInt32LE(4);
  if (bytes.length < length) return undefined;
  const message: Message = {
    kind: bytes[1] ?? 0,
    serial: bytes.readUInt32LE(8),
    member: "",
    sender: "",
    body: bytes.subarray(align(end, 8), length),
  };
  for (let at = 16; at < end;) {
    at = align(at, 8);
    const [code, type] = [bytes[at] ?? 0, String.fromCharCode(bytes[at + 2] ?? 0)];
    at += 4;
    if (type === "g") {
      at += (bytes[at] ?? 0) + 2;
      continue;
    }
    at = align(at, 4);
    const count = bytes.readUInt32LE(at);
    at += 4;
    if (type === "u") continue;
    const text = bytes.toString("utf8", at, at + count);
    if (code === MEMBER) message.member = text;
    if (code === SENDER) message.sender = text;
    at += count + 1;
  }
  return { message, length };
}

/** Parses the application, title and text from a `Notify` call. */
function readNotification(body: Buffer): ShownNotification {
  let at = 0;
  const take = () => {
    at = align(at, 4);
    const count = body.readUInt32LE(at);
    const text = body.toString("utf8", at + 4, at + 4 + count);
    at += 5 + count;
    return text;
  };
  const application = take();
  // ID of an earlier notification that this one replaces.
  at = align(at, 4) + 4;
  const [, title, text] = [take(), take(), take()];
  return { application, title: title ?? "", text: text ?? "" };
}

const REPLIES: Readonly<Record<string, Value[]>> = {
  GetServerInformation: ["a test", "bridge-hooks", "1", "1.2"],
  GetCapabilities: [["body", "body-markup"]],
  Notify: [1],
};

/** Serves notifications on a bus, as a desktop does. Resolves once it owns the name on the bus. */
export async function serveNotifications(
  socketPath: string,
): Promise<{ shown: ShownNotification[]; stop: () => void }> {
  const shown: ShownNotification[] = [];
  const socket = connect(socketPath);
  let serial = 0;
  const callBus = (member: string, values: Value[]) =>
    socket.write(
      writeMessage(
        CALL,
        ++serial,
        [
          [PATH, "o", "/org/freedesktop/DBus"],
          [INTERFACE, "s", "org.freedesktop.DBus"],
          [MEMBER, "s", member],
          [DESTINATION, "s", "org.freedesktop.DBus"],
        ],
        values,
      ),
    );
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let [received, isOpen] = [Buffer.alloc(0), false];
  socket.on("error", reject);
  socket.on("connect", () =>
    socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.())).toString("hex")}\r\n`),
  );
  socket.on("data", (part: Buffer) => {
    received = Buffer.concat([received, part]);
    if (!isOpen) {
      const end = received.indexOf("\r\n");
      if (end < 0) return;
      if (!received.toString("latin1", 0, end).startsWith("OK ")) return reject(new Error("the bus refuses this user"));
      received = received.subarray(end + 2);
      isOpen = true;
      socket.write("BEGIN\r\n");
      callBus("Hello", []);
      callBus("RequestName", ["org.freedesktop.Notifications", 0]);
    }
    for (let found = readMessage(received); found; found = readMessage(received)) {
      received = received.subarray(found.length);
      const { kind, member, sender, body, serial: asked } = found.message;
      // The bus confirms the name in its second reply.
      if (kind === RETURN && serial >= 2) resolve();
      if (kind !== CALL) continue;
      if (member === "Notify") shown.push(readNotification(body));
      socket.write(
        writeMessage(
          RETURN,
          ++serial,
          [
            [REPLY_SERIAL, "u", asked],
            [DESTINATION, "s", sender],
          ],
          REPLIES[member] ?? [],
        ),
      );
    }
  });
  await promise;
  return { shown, stop: () => socket.destroy() };
}
