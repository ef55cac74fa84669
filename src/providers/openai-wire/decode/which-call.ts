import { isJson, type ObjectText } from "../../../kit/index.ts";

/** A tool call on its way in. */
export type OpenCall = {
  /** Calls of an answer are counted from 0 as they get their names, whatever the server counts; until then, its place. */
  number: number;
  /** What the server numbers it; no number until a fragment brings one. */
  wireIndex: unknown;
  /** Takes a text of any form, where a function takes a JSON text. */
  readonly isCustom: boolean;
  /** What the server calls it; empty until a fragment says it. */
  wireId: string;
  /** Of this call alone: made up where the server gives none, or that of another call. */
  id: string;
  name: string;
  /** Its provider's, sealed. */
  signature: string | undefined;
  /** Arguments that came before the name, which must be told first. */
  waiting: string;
  /** Its arguments so far. */
  text: string;
  /** Of that text. */
  readonly object: ObjectText;
  /** Said after its end, without an id: an object that follows is that of another call, whose name it was. */
  isNamedAgain: boolean;
};

/** A piece of a call as its server sent it; what it does not say is empty. */
export type Fragment = {
  readonly wireIndex: unknown;
  readonly wireId: string;
  readonly name: string;
  readonly text: string;
};

/**
 * The call that a fragment points to, if any: by its number, else by its id, else the last one. Whether the fragment is
 * of that call, `bearingOn` says: some servers give several calls the same number or the same id.
 */
export function callMeant(calls: readonly OpenCall[], fragment: Fragment): OpenCall | undefined {
  const { wireIndex, wireId, name } = fragment;
  if (typeof wireIndex === "number") {
    return calls.findLast((call) => call.wireIndex === wireIndex) ?? unnumberedMeant(calls, fragment);
  }
  if (wireId !== "") return calls.findLast((call) => call.wireId === wireId);
  return name === "" ? calls.at(-1) : undefined;
}

/** Where no call has the fragment's number: one that began without any, by its id, by its place, or as the next in turn. */
function unnumberedMeant(
  calls: readonly OpenCall[],
  { wireIndex, wireId, name }: Fragment,
): OpenCall | undefined {
  const unnumbered = calls.filter((call) => typeof call.wireIndex !== "number");
  const ofId = wireId === "" ? undefined : unnumbered.find((call) => call.wireId === wireId);
  // Who says a name and no known id begins a call.
  if (ofId !== undefined || name !== "") return ofId;
  return unnumbered.find(({ number }) => number === wireIndex) ?? unnumbered[0];
}

/**
 * What a fragment is to the call that it points to: more of it, all of it said once more, or the beginning of another
 * one. Only a fragment with a name, or one behind such a fragment, can be the last of these.
 */
export function bearingOn(call: OpenCall, { wireId, name, text }: Fragment): "more" | "repeat" | "other" {
  if (name === "") {
    if (call.isNamedAgain && beginsObjectAfter(call, text)) return "other";
    return isSaidAgain(call, text) ? "repeat" : "more";
  }
  if (wireId !== "" && call.wireId !== "" && wireId !== call.wireId) return "other";
  if (call.name !== "" && name !== call.name) return "other";
  if (!beginsObjectAfter(call, text)) return "more";
  // Without an id to tell it by, what is said once more is another call.
  const isSame = wireId !== "" && wireId === call.wireId && text.trim() === call.text.trim();
  return isSame ? "repeat" : "other";
}

/** Whether a fragment that is more of a call names it after its end, and so may begin another one. */
export function namesAgain(
  { name: before, object, isCustom }: OpenCall,
  { wireId, name }: Fragment,
): boolean {
  return name !== "" && before !== "" && wireId === "" && !isCustom && object.isClosed;
}

/**
 * What a call's last piece adds to its arguments: some servers end with all of them, though they have said a part. An
 * object within them cannot be meant, since nothing follows that would close theirs.
 */
export function restIn({ text: before, object, isCustom }: OpenCall, text: string): string {
  const isWhole = !isCustom && object.isOpen && text.startsWith(before) && isJson(text);
  return isWhole ? text.slice(before.length) : text;
}

/** Some servers say all arguments once more when they end, and not whose they are. */
function isSaidAgain({ text: before, object, isCustom }: OpenCall, text: string): boolean {
  return !isCustom && object.isClosed && text.trim() === before.trim();
}

/** An object after arguments that are complete cannot be more of them. */
function beginsObjectAfter({ text: before, object, isCustom }: OpenCall, text: string): boolean {
  return !isCustom && object.isClosed && /^\s*\{/.test(text) && isJson(before);
}
