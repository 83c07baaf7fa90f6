/**
 * Matches modules that are evaluated at build time. The executable contains their exported values as JSON instead of
 * their code and imports, so calls don't spend time computing tables. When running from source, they are ordinary
 * modules.
 */
export const BUILD_MODULE = /\.build\.ts$/;

/** Makes a bundler replace modules that are evaluated at build time with their exported values. */
export function addBuildValues(builder: Bun.PluginBuilder): void {
  builder.onLoad({ filter: BUILD_MODULE }, async ({ path }) => {
    const values = Object.entries((await import(path)) as Record<string, unknown>);
    return { contents: values.map(([name, value]) => formatValue(name, value)).join(""), loader: "js" };
  });
}

/** @throws Error for a value that JSON can't represent. */
function formatValue(name: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined || !Bun.deepEquals(JSON.parse(text), value))
    throw new Error(`${name}: only JSON values may be exported here`);
  return `export const ${name} = ${text};\n`;
}
