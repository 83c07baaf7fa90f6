/** Environment variables that inject code into every program. */
export const CODE_LOADING_VARIABLES = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/;

/**
 * Environment variables that set library directories for every program. Anyone who can choose such a directory can
 * inject code.
 */
export const LIBRARY_PATH_VARIABLES = /^(LD_LIBRARY_PATH|DYLD_(?!INSERT_)\w+)$/;

/**
 * Environment variables that make the dynamic loader or the C library print text, or that end a program before its
 * first instruction. LD_TRACE_LOADED_OBJECTS and LD_DEBUG=help end the program with exit code 0. GLIBC_TUNABLES and
 * MALLOC_TOP_PAD make it run out of memory [seen glibc 2.36, 2026-11-22].
 */
export const PROGRAM_ENDING_VARIABLES = /^(LD_(TRACE_LOADED_OBJECTS|DEBUG|SHOW_AUXV)|GLIBC_TUNABLES|MALLOC_[A-Z_]+_)$/;

/** Environment variables that configure the JavaScript runtime. The bridge-hooks executable ignores them. */
export const RUNTIME_VARIABLES =
  /^((BUN|NODE|JSC|WTF|MIMALLOC)_\w+|SIMDUTF_FORCE_IMPLEMENTATION|JavaScriptCoreUseJIT)$/i;
