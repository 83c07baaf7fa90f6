/** JavaScript source for a worker thread. */
declare module "*/watcher.js" {
  const text: string;
  export default text;
}
