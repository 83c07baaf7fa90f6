/**
 * A module named `*.build.ts` is evaluated by the build, and an executable holds the values that it exports, as JSON,
 * instead of the module and what it imports: tables that are computed from larger ones cost a call nothing. Run from
 * source it is an ordinary module.
 */
export const BUILD_MODULE = /\.build\.ts$/;

/** Makes a bundler replace such modules by their values. */
export function addBuildValues(builder: Bun.PluginBuilder): void {
  builder.onLoad({ filter: BUILD_MODULE }, async ({ path }) => {
    const values = Object.entries((await import(path)) as Record<string, unknown>);
    return { contents: values.map(([name, value]) => formatValue(name, value)).join(""), loader: "js" };
  });
}

/** @throws Error for a value that JSON can't hold. */
function formatValue(name: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined || !Bun.deepEquals(JSON.parse(text), value))
    throw new Error(`${name}: only values that JSON can hold may be exported here`);
  return `export const ${name} = ${text};\n`;
}
