import { ffi, openLibrary } from "../../system/c-library.ts";

/**
 * Returns a function that starts a timer for the given number of seconds. The system ends this process unless the
 * function is called again in time. Does nothing on Windows.
 */
export function createDeadManSwitch(): (seconds: number) => void {
  const alarm = openLibrary({ alarm: { args: ["u32"], returns: "u32" } })?.alarm;
  return (seconds) => void alarm?.(seconds);
}

const ITIMER_PROF = 2;

/**
 * Returns a function that starts a timer for the given number of seconds of processor time. The system ends this
 * process unless the function is called again in time. Does nothing on Windows.
 */
export function createProcessorLimit(): (seconds: number) => void {
  const setTimer = openLibrary({ setitimer: { args: ["i32", "ptr", "ptr"], returns: "i32" } })?.setitimer;
  // struct itimerval: no interval, then seconds and microseconds.
  const time = new BigInt64Array(4);
  return (seconds) => {
    time[2] = BigInt(seconds);
    setTimer?.(ITIMER_PROF, ffi.ptr(time), null);
  };
}
