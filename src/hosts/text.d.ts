/**
 * JavaScript source for the host's own runtime. The source is written to the host's plugin file and never runs in this
 * process.
 */
declare module "*/guard.js" {
  const text: string;
  export default text;
}
declare module "*/plugin.js" {
  const text: string;
  export default text;
}
