/** Minimum size of a bridge-hooks executable on any platform, in bytes. Every executable contains the runtime. */
export const MIN_OWN_BYTES = 60_000_000;
