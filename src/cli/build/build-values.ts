/**
 * A module named `*.build.ts` is evaluated by the build, and an executable holds the values that it exports, as JSON,
 * instead of the module and what it imports: tables that are computed from larger ones cost a call nothing. Run from
 * source it is an ordinary module.
 */
export const BUILD_MODULE = /\.build\.ts$/;

/** Longer texts are parsed when they are loaded: for the engine that is less work than to run what makes the same. */
const MAX_LITERAL = 200;

/**
 * Makes a bundler replace such modules by their values.
 * @param used names of values that the build has used, and that nothing asks an executable for: they are undefined there.
 */
export function addBuildValues(builder: Bun.PluginBuilder, used: readonly string[] = []): void {
  builder.onLoad({ filter: BUILD_MODULE }, async ({ path }) => {
    const values = Object.entries((await import(path)) as Record<string, unknown>);
    const lines = values.map(
      ([name, value]) => `export const ${name} = ${used.includes(name) ? "undefined" : formatValue(name, value)};\n`,
    );
    return { contents: lines.join(""), loader: "js" };
  });
}

/** @throws Error for a value that JSON can't hold. */
function formatValue(name: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined || !Bun.deepEquals(JSON.parse(text), value))
    throw new Error(`${name}: only values that JSON can hold may be exported here`);
  return text.length > MAX_LITERAL && typeof value === "object"
    ? `/* @__PURE__ */ JSON.parse(${JSON.stringify(text)})`
    : text;
}
