/** JavaScript source for a worker thread. */
declare module "*/watcher.js" {
  const text: string;
  export default text;
}
/** The forms of the hosts' payloads. */
declare module "*/shapes.txt" {
  const text: string;
  export default text;
}
/** What marks a secret. */
declare module "*/secrets/marks.txt" {
  const text: string;
  export default text;
}
