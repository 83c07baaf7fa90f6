import type { dlopen, ptr, read } from "bun:ffi";

/**
 * Names of the C library already loaded into the process: the soname on Linux and the full path on macOS. That way, the
 * loader doesn't search any directories.
 */
const LIBC_FILES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};

/** Bun's FFI. Importing `bun:ffi` would take longer than everything else in this file. */
export const ffi = (Bun as unknown as { FFI: { dlopen: typeof dlopen; ptr: typeof ptr; read: typeof read } }).FFI;

/** Linux error numbers for a missing path: ENOENT, and ENOTDIR for a path below a regular file. */
export const MISSING_PATH_ERRORS: readonly number[] = [2, 20];

/**
 * Opens functions from the C library. Returns undefined on Windows, and if the engine isn't allowed to generate code.
 */
export function openLibrary<const S extends Parameters<typeof dlopen>[1]>(symbols: S) {
  for (const name of LIBC_FILES[process.platform] ?? []) {
    try {
      const library: ReturnType<typeof dlopen<S>> | Error = ffi.dlopen(name, symbols);
      if (!(library instanceof Error)) return library.symbols;
    } catch {
      // Try the other C library.
    }
  }
  return undefined;
}
