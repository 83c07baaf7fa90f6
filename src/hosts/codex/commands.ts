export { hostDoctor } from "./doctor.ts";
export { default as evidence } from "./evidence.json";
export { history } from "./history.ts";
export { buildPack } from "./pack.ts";
export { buildPlugin } from "./plugin.ts";
export { scriptCodec } from "./native-payloads.ts";
