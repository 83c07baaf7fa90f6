import type { dlopen, ptr, read } from "bun:ffi";

/**
 * Names under which the C library is loaded already, so that nothing is searched for: on Linux by the name that it
 * gives itself, which the loader knows without a look at any folder; on macOS in full.
 */
const LIBRARIES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};

/** The FFI of "bun:ffi": importing that module takes longer than everything done with it here. */
export const ffi = (Bun as unknown as { FFI: { dlopen: typeof dlopen; ptr: typeof ptr; read: typeof read } }).FFI;

/** Error numbers of Linux that say that nothing is at a path: ENOENT, and ENOTDIR below a file. */
export const ABSENT_ERRORS: readonly number[] = [2, 20];

/** Opens functions of the C library; undefined on Windows, and where the engine may not make code. */
export function openLibrary<const S extends Parameters<typeof dlopen>[1]>(symbols: S) {
  for (const name of LIBRARIES[process.platform] ?? []) {
    try {
      const opened: ReturnType<typeof dlopen<S>> | Error = ffi.dlopen(name, symbols);
      if (!(opened instanceof Error)) return opened.symbols;
    } catch {
      // Try the other C library.
    }
  }
  return undefined;
}
