/** No executable of ours is smaller, for any system: each contains the runtime. */
export const MIN_OWN_BYTES = 60_000_000;
