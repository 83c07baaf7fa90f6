import { deny } from "bridge-hooks";
import { asked, everywhere } from "./_events.ts";

export default everywhere("behind", 2, () => (asked("ATTACK_DENIER", "behind") ? deny("behind says no") : undefined));
