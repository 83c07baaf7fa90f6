import type { ConfigFile, Subscription } from "../../protocol/host/install.ts";
import { isThere } from "./files.ts";
import type { InstallContext } from "./install-context.ts";
import type { HostFile } from "./plan.ts";

/** The subscriptions whose entries go to a file. */
export const selectForFile = <S extends Pick<Subscription, "native_event">>(
  { event }: Pick<ConfigFile, "event">,
  subscriptions: readonly S[],
): readonly S[] =>
  event === undefined ? subscriptions : subscriptions.filter(({ native_event }) => native_event === event);

/** The files that an installation writes: the one that was chosen, or on hosts with a file per event one of each. */
export const listEventTargets = (
  { file }: Pick<HostFile, "file">,
  files: readonly ConfigFile[],
  subscriptions: readonly Subscription[],
): readonly ConfigFile[] =>
  file.event === undefined
    ? [file]
    : files.filter((one) => one.target === true && selectForFile(one, subscriptions).length > 0);

/** The subscriptions without a file, on hosts with a file per event, one line each. */
export const findMissingFiles = (
  main: HostFile,
  subscriptions: readonly Subscription[],
  { machine }: Pick<InstallContext, "machine">,
): string[] => {
  const files = main.setup.listConfigFiles(machine).filter(({ scope }) => scope === main.file.scope);
  return listEventTargets(main, files, subscriptions)
    .filter(({ event, path }) => event !== undefined && event !== main.file.event && !isThere(path))
    .map(({ event, path }) => `${event} is missing: your hooks subscribe to it, and there is no ${path}`);
};
