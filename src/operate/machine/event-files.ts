import type { ConfigFile, Subscription } from "../../protocol/host/install.ts";
import { mayPathExist } from "./files.ts";
import type { InstallContext } from "./install-context.ts";
import type { HostFile } from "./plan.ts";

/** Selects the subscriptions that belong in a file. */
export const selectSubscriptionsForFile = <S extends Pick<Subscription, "native_event">>(
  { event }: Pick<ConfigFile, "event">,
  subscriptions: readonly S[],
): readonly S[] =>
  event === undefined ? subscriptions : subscriptions.filter(({ native_event }) => native_event === event);

/** Lists the files that an installation writes. Most hosts have a single config file; some have one file per event. */
export const listEventTargets = (
  { file }: Pick<HostFile, "file">,
  files: readonly ConfigFile[],
  subscriptions: readonly Subscription[],
): readonly ConfigFile[] =>
  file.event === undefined
    ? [file]
    : files.filter((one) => one.target === true && selectSubscriptionsForFile(one, subscriptions).length > 0);

/** Lists subscribed events whose file is missing, on hosts with one file per event. */
export const findMissingFiles = (
  main: HostFile,
  subscriptions: readonly Subscription[],
  { machine }: Pick<InstallContext, "machine">,
): string[] => {
  const files = main.setup.listConfigFiles(machine).filter(({ scope }) => scope === main.file.scope);
  return listEventTargets(main, files, subscriptions)
    .filter(({ event, path }) => event !== undefined && event !== main.file.event && !mayPathExist(path))
    .map(({ event, path }) => `no entry for ${event}, which your hooks subscribe to; missing file: ${path}`);
};
