export { hostDoctor } from "./doctor.ts";
export { default as evidence } from "./evidence.json";
export { buildPack } from "./pack.ts";
export { scriptCodec } from "./native-payloads.ts";
