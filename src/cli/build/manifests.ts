import { dirname, join } from "node:path";
import type { createHookEntry } from "../../protocol/hook.ts";
import type { CallIndex } from "../../protocol/concerns.ts";
import { createCallIndex } from "../../call/screen/call-index.ts";

/** A hook as compiled into an executable: its module, and the metadata that a call needs before loading the module. */
export interface CompiledHook {
  file: string;
  meta: Omit<ReturnType<typeof createHookEntry>, "load">;
  /** Embedded files, as `./name` relative to the hook's directory. */
  files?: readonly string[];
}

export const quoteJson = (value: unknown) => JSON.stringify(value);

/**
 * Generates the manifest's source: each hook's metadata, and a dynamic import of its module that runs only for matching
 * calls.
 */
export function generateManifest(hooks: readonly CompiledHook[]): string {
  const entries = hooks.map(({ meta: { concerns: _, ...meta }, file, files = [] }, at) => {
    const load =
      files.length === 0
        ? `import(${quoteJson(file)}).then((module) => module.default)`
        : `Promise.all([import(${quoteJson(file)}), import("./carried-${at}.ts")]).then(([hook, files]) => hook.default.carrying(files.default))`;
    return `${quoteJson(meta).slice(0, -1)}, load: () => ${load} }`;
  });
  return `export const entries = [\n${entries.join(",\n")}\n];\n`;
}

/**
 * Generates the source of the call index, which tells whether a call could concern any hook. Values shared by multiple
 * tools or events are emitted only once.
 */
export function generateCallIndex(hooks: readonly CompiledHook[]): string {
  const index = createCallIndex(hooks.map(describeHook));
  const sharedValues: (string | false)[] = [];
  const quoteRow = (row: CallIndex[string]) =>
    Object.entries(row).map(([key, concerns]) => {
      if (!sharedValues.includes(concerns)) sharedValues.push(concerns);
      return `${quoteJson(key)}: c${sharedValues.indexOf(concerns)}`;
    });
  const rows = Object.entries(index).map(([event, row]) => `${quoteJson(event)}: { ${quoteRow(row).join(", ")} }`);
  const constants = sharedValues.map((concerns, at) => `const c${at} = ${quoteJson(concerns)};\n`);
  return `${constants.join("")}export const index = { ${rows.join(", ")} };\n`;
}

/** Generates the source of the module with a separate index for each hook. */
export const generateHookIndex = (hooks: readonly CompiledHook[]): string =>
  `export const hookIndex = ${quoteJson(
    Object.fromEntries(hooks.map((hook) => [hook.meta.name, createCallIndex([describeHook(hook)])])),
  )};\n`;

const describeHook = ({ meta }: CompiledHook) => ({
  ...meta,
  load: () => Promise.reject(new Error("not loaded")),
});

/** Generates the source of a module with a hook's embedded files. */
export function generateCarriedModule({ file, files = [] }: CompiledHook): string {
  const imports = files.map(
    (name, at) => `import file${at} from ${quoteJson(join(dirname(file), name))} with { type: "file" };\n`,
  );
  const entries = files.map((name, at) => `${quoteJson(name)}: readFileSync(file${at})`);
  return `import { readFileSync } from "node:fs";\n${imports.join("")}export default { ${entries.join(", ")} };\n`;
}
