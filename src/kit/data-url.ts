/** An address that carries its own bytes: `data:image/png;base64,…`. */
type DataUrl = {
  /** In lower case, without its parameters; empty where it is not said. */
  readonly mediaType: string;
  readonly isBase64: boolean;
  /** Where what it carries begins. */
  readonly start: number;
};

/** Room for a type and for the name of a file; what has no comma by then is no such address. */
const MAX_HEAD_CHARACTERS = 1_024;
const SCHEME = /^data:/i;

export function isDataUrl(text: Sliced): boolean {
  return SCHEME.test(text.slice(0, 5));
}

/**
 * Null where it is none, or its head has no end. Nothing behind the head is looked at: it may have tens of megabytes, and
 * an expression that searches them for a comma which is not there may do so from every letter anew.
 */
export function readDataUrl(text: Sliced): DataUrl | null {
  const head = text.slice(0, MAX_HEAD_CHARACTERS);
  const comma = head.indexOf(",");
  if (comma === -1 || !isDataUrl(head)) return null;
  const [mediaType = "", ...parameters] = head.slice(5, comma).toLowerCase().split(";");
  return { mediaType, isBase64: parameters.at(-1) === "base64", start: comma + 1 };
}

/** A string, or what is read in pieces like one. */
type Sliced = { slice(start: number, end: number): string };
