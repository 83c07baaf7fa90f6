/** JavaScript source for a worker thread. */
declare module "*/watcher.js" {
  const text: string;
  export default text;
}
/** The shapes of the hosts' payloads. */
declare module "*/shapes.txt" {
  const text: string;
  export default text;
}
/** Strings that mark a possible secret. */
declare module "*/secrets/marks.txt" {
  const text: string;
  export default text;
}
