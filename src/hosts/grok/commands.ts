export { hostDoctor } from "./doctor/check.ts";
export { default as evidence } from "./evidence.json";
export { buildPack } from "./install/pack.ts";
export { scriptCodec } from "./scripts/native-payloads.ts";
