import { isObject } from "../../kit/index.ts";

/** What an event says of the end of its answer: that it has ended and little can follow, or that this is the last of it. */
export type SaidEnd = (data: string) => "soon" | "now" | null;

const MAY_END_GOOGLE = /"finishReason"\s*:\s*"/;
/** Of a part that goes on in the next one. */
const GOES_ON = "CONTINUATION";

/** With its last words, or before its counts. */
export const saidEndOfGoogle: SaidEnd = (data) => {
  if (!MAY_END_GOOGLE.test(data)) return null;
  const candidates = fieldOf(parsed(data), "candidates");
  const reason = fieldOf(Array.isArray(candidates) ? candidates[0] : null, "finishReason");
  return typeof reason === "string" && reason !== GOES_ON ? "soon" : null;
};

/** Where the last event has a type of its own. */
export function saidEndBy(type: string): SaidEnd {
  const written = JSON.stringify(type);
  return (data) => (data.includes(written) && fieldOf(parsed(data), "type") === type ? "now" : null);
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : null;
}

/** Null where it is no JSON: the library says what is wrong with it. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
