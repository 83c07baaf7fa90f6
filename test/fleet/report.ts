/** Collects results, printing each one as it arrives. */
export class FleetReport {
  passed = 0;
  failed = 0;
  readonly skipped: string[] = [];

  /** @param problem how the result differs from what is expected; undefined or false if it doesn't */
  check(what: string, problem: string | false | undefined): void {
    if (problem) this.failed++;
    else this.passed++;
    console.log(`${problem ? "FAILED" : "ok    "}  ${what}${problem ? `: ${problem}` : ""}`);
  }

  skip(what: string, why: string): void {
    this.skipped.push(what);
    console.log(`skipped ${what}: ${why}`);
  }

  format(): string {
    const { passed, failed, skipped } = this;
    return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped (${skipped.join(", ")})` : ""}`;
  }
}
