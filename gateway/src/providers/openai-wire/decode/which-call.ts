import { isJson, type ObjectText } from "../../../kit/index.ts";

/** A tool call that is being received. */
export type OpenCall = {
  /** Counted from 0 as calls get their names, whatever the server's numbers; until then, its position. */
  number: number;
  /** The server's number for it; not a number until a fragment brings one. */
  wireIndex: unknown;
  /** Takes free text, where a function takes JSON. */
  readonly isCustom: boolean;
  /** The server's id for it; empty until a fragment brings one. */
  wireId: string;
  /** Unique to this call: generated if the server sends none, or that of another call. */
  id: string;
  name: string;
  /** The provider's signature, sealed. */
  signature: string | undefined;
  /** Arguments that came before the name, held back until the name is known. */
  waiting: string;
  /** Arguments so far. */
  text: string;
  /** Tracks whether `text` is a complete JSON object. */
  readonly object: ObjectText;
  /**
   * Named again after its end, without an id: an object that follows belongs to another call, which that name was for.
   */
  isNamedAgain: boolean;
};

/** A piece of a call as the server sent it; missing fields are empty. */
export type Fragment = {
  readonly wireIndex: unknown;
  readonly wireId: string;
  readonly name: string;
  readonly text: string;
};

/**
 * The call that a fragment refers to, if any: by its number, else by its id, else the last one. `bearingOn` decides
 * whether it really belongs to that call: some servers give several calls the same number or id.
 */
export function callMeant(calls: readonly OpenCall[], fragment: Fragment): OpenCall | undefined {
  const { wireIndex, wireId, name } = fragment;
  if (typeof wireIndex === "number") {
    return calls.findLast((call) => call.wireIndex === wireIndex) ?? unnumberedMeant(calls, fragment);
  }
  if (wireId !== "") return calls.findLast((call) => call.wireId === wireId);
  return name === "" ? calls.at(-1) : undefined;
}

/** If no call has the fragment's number: one without a number, by its id, by its position, or the next in order. */
function unnumberedMeant(
  calls: readonly OpenCall[],
  { wireIndex, wireId, name }: Fragment,
): OpenCall | undefined {
  const unnumbered = calls.filter((call) => typeof call.wireIndex !== "number");
  const ofId = wireId === "" ? undefined : unnumbered.find((call) => call.wireId === wireId);
  // A fragment with a name and without a known id begins a new call.
  if (ofId !== undefined || name !== "") return ofId;
  return unnumbered.find(({ number }) => number === wireIndex) ?? unnumbered[0];
}

/**
 * How a fragment relates to the call that it refers to: more of it, a full repetition, or the beginning of another
 * call. Only a fragment with a name, or one after such a fragment, can be the last of these.
 */
export function bearingOn(call: OpenCall, { wireId, name, text }: Fragment): "more" | "repeat" | "other" {
  if (name === "") {
    if (call.isNamedAgain && beginsObjectAfter(call, text)) return "other";
    return isSaidAgain(call, text) ? "repeat" : "more";
  }
  if (wireId !== "" && call.wireId !== "" && wireId !== call.wireId) return "other";
  if (call.name !== "" && name !== call.name) return "other";
  if (!beginsObjectAfter(call, text)) return "more";
  // Without an id to recognize it by, a repetition is another call.
  const isSame = wireId !== "" && wireId === call.wireId && text.trim() === call.text.trim();
  return isSame ? "repeat" : "other";
}

/** Whether a fragment names its call again after the end, and so may begin another one. */
export function namesAgain(
  { name: before, object, isCustom }: OpenCall,
  { wireId, name }: Fragment,
): boolean {
  return name !== "" && before !== "" && wireId === "" && !isCustom && object.isClosed;
}

/**
 * What the last piece of a call adds to its arguments: some servers end with all of them, although they have sent a
 * part. It cannot be a nested object, since nothing follows that would close the outer one.
 */
export function restIn({ text: before, object, isCustom }: OpenCall, text: string): string {
  const isWhole = !isCustom && object.isOpen && text.startsWith(before) && isJson(text);
  return isWhole ? text.slice(before.length) : text;
}

/** Some servers repeat all arguments at the end, without saying which call they belong to. */
function isSaidAgain({ text: before, object, isCustom }: OpenCall, text: string): boolean {
  return !isCustom && object.isClosed && text.trim() === before.trim();
}

/** An object after complete arguments cannot be more of them. */
function beginsObjectAfter({ text: before, object, isCustom }: OpenCall, text: string): boolean {
  return !isCustom && object.isClosed && /^\s*\{/.test(text) && isJson(before);
}
