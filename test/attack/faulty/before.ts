import { deny } from "bridge-hooks";
import { asked, everywhere } from "./_events.ts";

export default everywhere("before", 0, () => (asked("ATTACK_DENIER", "before") ? deny("before says no") : undefined));
