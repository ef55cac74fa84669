import { newId } from "../kit/index.ts";

/** The id of a tool call: a new one if the server gives none, or repeats that of another call. */
export function ownCallId(given: string, isTaken: boolean): string {
  return given === "" || isTaken ? `call_${newId().replaceAll("-", "")}` : given;
}
