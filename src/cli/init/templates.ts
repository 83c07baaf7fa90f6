import { suggestName } from "../../protocol/name-suggestions.ts";
import noPublishTest from "./template/no-publish.test.txt" with { type: "text" };
import noPublish from "./template/no-publish.txt" with { type: "text" };
import protectFilesTest from "./template/protect-files.test.txt" with { type: "text" };
import protectFiles from "./template/protect-files.txt" with { type: "text" };
import sessionNotesTest from "./template/session-notes.test.txt" with { type: "text" };
import sessionNotes from "./template/session-notes.txt" with { type: "text" };
import testBeforeStopTest from "./template/test-before-stop.test.txt" with { type: "text" };
import testBeforeStop from "./template/test-before-stop.txt" with { type: "text" };
import usePnpmTest from "./template/use-pnpm.test.txt" with { type: "text" };
import usePnpm from "./template/use-pnpm.txt" with { type: "text" };

/** An example hook for `init`, with its test and a command that tries the hook. */
interface HookTemplate {
  /** The example's purpose. */
  purpose: string;
  hook: string;
  test: string;
  /** `try` options that specify an event the hook answers. */
  trial: string;
}

export const DEFAULT_TEMPLATE = "no-publish";

export const TEMPLATES: Readonly<Record<string, HookTemplate>> = {
  [DEFAULT_TEMPLATE]: {
    purpose: "denies a command and gives advice",
    hook: noPublish,
    test: noPublishTest,
    trial: '--command "npm publish"',
  },
  "use-pnpm": {
    purpose: "replaces a command",
    hook: usePnpm,
    test: usePnpmTest,
    trial: '--command "npm install x"',
  },
  "protect-files": {
    purpose: "protects files",
    hook: protectFiles,
    test: protectFilesTest,
    trial: '--command "rm yarn.lock"',
  },
  "test-before-stop": {
    purpose: "runs the tests before the agent stops",
    hook: testBeforeStop,
    test: testBeforeStopTest,
    trial: "--event Stop",
  },
  "session-notes": {
    purpose: "gives the model context at session start",
    hook: sessionNotes,
    test: sessionNotesTest,
    trial: "--event SessionStart",
  },
};

/**
 * Looks up a template.
 * @throws Error that lists the templates.
 */
export function findTemplate(name: string): HookTemplate {
  const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined;
  if (template) return template;
  const names = Object.keys(TEMPLATES);
  throw new Error(`--template: unknown template "${name}"${suggestName(name, names)}; known: ${names.join(", ")}`);
}
