import { openLibrary } from "../../system/c-library.ts";

const LIBC_SYMBOLS = {
  dup: { args: ["i32"], returns: "i32" },
  dup2: { args: ["i32", "i32"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
} as const;

/** The three functions that Bun doesn't offer synchronously. */
export const libc = openLibrary(LIBC_SYMBOLS);

export const POLLIN = 1;
export const POLLOUT = 4;
