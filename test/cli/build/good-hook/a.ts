import { defineHook, deny } from "bridge-hooks";
export default defineHook({ event: "PreToolUse", handler: () => deny("mine") });
