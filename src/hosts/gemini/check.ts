import type { Check } from "../../core/setup.ts";
export const check = {} as Check;
