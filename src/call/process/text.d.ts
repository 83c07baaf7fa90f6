/** JavaScript source for a worker thread. */
declare module "*/watcher.js" {
  const text: string;
  export default text;
}
/** Payload shapes of the hosts. */
declare module "*/shapes.txt" {
  const text: string;
  export default text;
}
/** Strings that indicate a possible secret. */
declare module "*/secrets/marks.txt" {
  const text: string;
  export default text;
}
