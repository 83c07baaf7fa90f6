import type { Command } from "./measure.ts";
import { readPeakMemory } from "./measure.ts";
import { computeMedian, computePairRatios, type Quartiles } from "./statistics.ts";

/** Calls sent to the resident process, possibly concurrently. */
export interface ResidentRow {
  id: string;
  title: string;
  /**
   * Payload in which `{n}` stands for a number that differs on every call, because hosts rarely send the same command
   * twice.
   */
  payload: string;
  inFlight: number;
  /** Milliseconds per call. */
  goalMs: number;
}

/** Measurements for one row, in milliseconds per call, from writing the request to reading the answer. */
export interface ResidentResult extends Omit<ResidentRow, "payload"> {
  ms: number;
  echoMs: number;
  /** Ratio to the echo server, computed from consecutive batches. */
  ratio: Quartiles;
  /** Peak memory use of the resident process, in bytes. */
  memory: number;
}

const WARM_UP_CALLS = 500;
const BATCHES = 25;
/**
 * How many processes of each kind are measured, one after another. More than one, because memory layout affects a
 * process's speed.
 */
const PROCESSES = 3;

/** A server that answers each line on stdin with a line on stdout. */
class Resident {
  readonly #child;
  readonly #begun = new Map<number, number>();
  #count = 0;
  #onAnswer: (id: number) => void = () => {};

  constructor({ words, env, cwd }: Command) {
    this.#child = Bun.spawn([...words], { stdin: "pipe", stdout: "pipe", stderr: "inherit", env: { ...env }, cwd });
    void this.#readAnswers();
  }

  async #readAnswers(): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of this.#child.stdout) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) this.#onAnswer((JSON.parse(line) as { id: number }).id);
    }
  }

  /** Makes calls with the given concurrency and returns how many milliseconds each one took. */
  makeCalls(payload: string, inFlight: number, calls: number): Promise<number[]> {
    const { promise, resolve } = Promise.withResolvers<number[]>();
    const times: number[] = [];
    let left = calls;
    const send = () => {
      if (left-- <= 0) return;
      const id = ++this.#count;
      this.#begun.set(id, performance.now());
      this.#child.stdin.write(`{"id":${id},"payload":${payload.replaceAll("{n}", String(id))}}\n`);
      this.#child.stdin.flush();
    };
    this.#onAnswer = (id) => {
      times.push(performance.now() - (this.#begun.get(id) as number));
      this.#begun.delete(id);
      if (times.length === calls) resolve(times);
      else send();
    };
    for (let at = 0; at < inFlight; at++) send();
    return promise;
  }

  get memory(): number {
    return readPeakMemory(this.#child.pid) ?? Number.NaN;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    const code = await this.#child.exited;
    if (code !== 0) throw new Error(`a resident process exited with code ${code}`);
  }
}

/** Measures a row by alternating batches of calls to the product and to the echo server. */
export async function measureResident(
  row: ResidentRow,
  product: Command,
  echo: Command,
  batches = BATCHES,
): Promise<ResidentResult> {
  const calls = row.inFlight * 10;
  const [own, echoed, memory]: [number[], number[], number[]] = [[], [], []];
  for (let process = 0; process < PROCESSES; process++) {
    const [server, echoServer] = [new Resident(product), new Resident(echo)];
    for (const one of [server, echoServer]) await one.makeCalls(row.payload, row.inFlight, WARM_UP_CALLS);
    for (let batch = 0; batch < batches; batch++) {
      own.push(computeMedian(await server.makeCalls(row.payload, row.inFlight, calls)));
      echoed.push(computeMedian(await echoServer.makeCalls(row.payload, row.inFlight, calls)));
    }
    memory.push(server.memory);
    await Promise.all([server.end(), echoServer.end()]);
  }
  const { payload: _, ...shown } = row;
  return {
    ...shown,
    ms: computeMedian(own),
    echoMs: computeMedian(echoed),
    ratio: computePairRatios(own, echoed),
    memory: computeMedian(memory),
  };
}
