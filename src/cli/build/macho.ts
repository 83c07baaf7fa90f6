/** Whether an image is a 64-bit Mach-O file. */
export const isMachO = (image: Buffer): boolean => image.readUInt32LE(0) === 0xfeedfacf;

interface LoadCommand {
  at: number;
  kind: number;
}

const SEGMENT_COMMAND = 0x19;

/** Yields the load commands in file order. */
export function* readLoadCommands(image: Buffer): Generator<LoadCommand> {
  let at = 32;
  for (let remaining = image.readUInt32LE(16); remaining > 0; remaining--) {
    yield { at, kind: image.readUInt32LE(at) };
    at += image.readUInt32LE(at + 4);
  }
}

/** Returns the offset of a segment's load command. */
export const findSegment = (image: Buffer, name: string): number | undefined =>
  [...readLoadCommands(image)].find(
    ({ at, kind }) =>
      kind === SEGMENT_COMMAND && image.toString("latin1", at + 8, at + 24).replace(/\0+$/, "") === name,
  )?.at;
