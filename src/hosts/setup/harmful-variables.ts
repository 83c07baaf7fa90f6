/** Variables that make the system load foreign code into every program. */
export const CODE_LOADING_VARIABLES = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/;

/** Variables with library directories for every program. They load code too, if somebody else chose the directory. */
export const LIBRARY_PATH_VARIABLES = /^(LD_LIBRARY_PATH|DYLD_(?!INSERT_)\w+)$/;

/**
 * Variables with which the system's loader or its C library ends a program before its first instruction
 * (LD_TRACE_LOADED_OBJECTS and LD_DEBUG=help with exit code 0, GLIBC_TUNABLES and MALLOC_TOP_PAD for lack of memory),
 * or prints [seen glibc 2.36, 2026-11-22].
 */
export const PROGRAM_ENDING_VARIABLES = /^(LD_(TRACE_LOADED_OBJECTS|DEBUG|SHOW_AUXV)|GLIBC_TUNABLES|MALLOC_[A-Z_]+_)$/;

/** Switches of the JavaScript runtime; this executable ignores them. */
export const RUNTIME_VARIABLES =
  /^((BUN|NODE|JSC|WTF|MIMALLOC)_\w+|SIMDUTF_FORCE_IMPLEMENTATION|JavaScriptCoreUseJIT)$/i;
