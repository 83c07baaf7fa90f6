import { formatModeTerm } from "../try/verdict.ts";
import type { DoctorReport } from "./report.ts";

/** The effect of a denial, as shown for a tested entry and in the report's last line. */
interface DenialOutcome {
  entry: string;
  /** The effect on a host that was never seen to enforce a denial. */
  unseenEntry: string;
  whole: string;
}

/** Describes how the modes affect an entry's denial. */
export function describeDenials({ mode: modes }: DoctorReport["policy"]): DenialOutcome {
  const otherModes = Object.entries(modes?.others ?? {});
  const list = (names: typeof otherModes) => names.map(([name, mode]) => `${name} (${mode})`).join(", ");
  const evidence = "according to documentation only";
  if (!modes || modes.mode === "enforce") {
    const except = otherModes.length === 0 ? "" : `, except for ${list(otherModes)}`;
    return {
      entry: "denials take effect",
      unseenEntry: `denials should take effect, ${evidence}`,
      whole: `denials take effect${except}`,
    };
  }
  const { mode, until } = modes;
  const enforcedModes = otherModes.filter(([, one]) => one === "enforce");
  const exceptionNote = enforcedModes.length === 0 ? "" : `; denials by ${list(enforcedModes)} take effect now`;
  const entry = `denials are withheld (${mode}) and would take effect if enforced`;
  return {
    entry,
    unseenEntry: `${entry}, ${evidence}`,
    whole: `denials are withheld (mode ${formatModeTerm({ mode, until })}) and would take effect if enforced${exceptionNote}`,
  };
}
