import { hasOptimization } from "./optimizations.ts";

/**
 * How many times longer than by its usual policy the engine waits until it compiles what runs often: a call ends before
 * compiled code has paid for itself. With 100, a line of 100 kB is up to 10 % slower than with 60.
 *
 * Processor time without it, 200 pairs [Linux x64, 2026-11-28]: a denial 1.13, a line that needs the parser 1.22, plain
 * lines and reads 1.00 to 1.02.
 */
const JIT_POLICY = 60;

/** The options of the bundler that set the policy. `serve` and commands ask for the usual one. */
export const getJitPolicy = (): { jitPolicy?: number } =>
  hasOptimization("jit-policy") ? { jitPolicy: JIT_POLICY } : {};
