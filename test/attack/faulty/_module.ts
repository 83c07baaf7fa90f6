/** Faults during module loading, including errors in dependencies. */

const anything = globalThis as any;

const forever = (): never => {
  for (;;);
};

/** Imported by the hook so that bundlers keep this module. */
export const loaded = true;

switch (process.env.ATTACK_FAULT) {
  case "polyfill":
    anything.Object.prototype.isEmpty = function () {
      return Object.keys(this).length === 0;
    };
    break;
  case "polyfill that uses our words":
    anything.Object.prototype.decision = "allow";
    anything.Object.prototype.reason = "inherited";
    break;
  case "polyfill of array methods":
    anything.Array.prototype.last = function () {
      return this.at(-1);
    };
    break;
  case "stringify throws":
    JSON.stringify = () => {
      throw new Error("attack: stringify");
    };
    break;
  case "stringify returns nothing":
    anything.JSON.stringify = () => undefined;
    break;
  case "module loads forever":
    forever();
    break;
  case "module loops after a wait":
    await 1;
    forever();
    break;
  case "module never finishes waiting":
    await new Promise(() => {});
    break;
  case "module throws":
    throw new Error("attack: module");
  case "module throws a value that can't be displayed":
    throw Object.create(null);
  case "module exits":
    process.exit(0);
    break;
  case "module aborts":
    process.abort();
}
