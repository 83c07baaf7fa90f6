/** JavaScript for a thread of its own. */
declare module "*/watcher.js" {
  const text: string;
  export default text;
}
