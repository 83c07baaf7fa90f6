/** This executable; undefined in a run from source. */
export const ownExecutable = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main) ? process.execPath : undefined;
