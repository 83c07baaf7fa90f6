import { hasOptimization } from "./optimizations.ts";

/**
 * The factor by which the engine delays compiling hot code. A call ends before compiled code pays off. With a factor of
 * 100, a 100 kB command takes up to 10% longer than with a factor of 60.
 *
 * Relative processor time without the delay, 200 pairs [Linux x64, 2026-11-28]: denial 1.13, command that needs the
 * parser 1.22, simple commands and reads 1.00 to 1.02.
 */
const JIT_POLICY = 60;

/** Returns the bundler options that set this factor. `serve` and the other commands use the engine's default. */
export const getJitPolicy = (): { jitPolicy?: number } =>
  hasOptimization("jit-policy") ? { jitPolicy: JIT_POLICY } : {};
