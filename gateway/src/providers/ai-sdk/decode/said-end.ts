import { isObject } from "../../../kit/index.ts";

/** Whether an event ends its answer. `soon`: it has ended and little can follow. `now`: this is the last event. */
export type SaidEnd = (data: string) => "soon" | "now" | null;

const MAY_END_GOOGLE = /"finishReason"\s*:\s*"/;
/** Finish reason of a part that continues in the next one. */
const GOES_ON = "CONTINUATION";

/** Google sends the finish reason with the last text, or before the usage. */
export const saidEndOfGoogle: SaidEnd = (data) => {
  if (!MAY_END_GOOGLE.test(data)) return null;
  const candidates = fieldOf(parsed(data), "candidates");
  const reason = fieldOf(Array.isArray(candidates) ? candidates[0] : null, "finishReason");
  return typeof reason === "string" && reason !== GOES_ON ? "soon" : null;
};

/** For wires whose last event has its own type. */
export function saidEndBy(type: string): SaidEnd {
  const written = JSON.stringify(type);
  return (data) => (data.includes(written) && fieldOf(parsed(data), "type") === type ? "now" : null);
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : null;
}

/** Null if it is not JSON; the library reports what is wrong with it. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
