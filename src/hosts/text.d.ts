/** JavaScript for a host's own runtime: it is written to a file of the host and never runs here. */
declare module "*/guard.js" {
  const text: string;
  export default text;
}
declare module "*/plugin.js" {
  const text: string;
  export default text;
}
