import { newId } from "../kit/index.ts";

/** The id of a call of an answer: made up where the server gives none, or that of another call. */
export function ownCallId(given: string, isTaken: boolean): string {
  return given === "" || isTaken ? `call_${newId().replaceAll("-", "")}` : given;
}
