const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
/** Before the first picture stand a dozen. */
const MAX_ELEMENTS = 1_024;

/** There is film behind the headers, and as much of it as they say. */
export function isWholeWebm(bytes: Uint8Array): boolean {
  let at = 0;
  for (let elements = 0; elements < MAX_ELEMENTS; elements += 1) {
    const element = elementAt(bytes, at);
    if (element === null || element.end > bytes.byteLength) return false;
    if (element.id === CLUSTER) return element.end > element.start;
    at = element.id === SEGMENT ? element.start : element.end;
  }
  return false;
}

type Element = { readonly id: number; readonly start: number; readonly end: number };

function elementAt(bytes: Uint8Array, at: number): Element | null {
  const idBytes = lengthAt(bytes, at);
  const sizeAt = at + idBytes;
  const start = sizeAt + lengthAt(bytes, sizeAt);
  if (idBytes > 4 || start > bytes.byteLength) return null;
  const id = numberOf(bytes.subarray(at, sizeAt));
  const mark = 2 ** (8 - (start - sizeAt));
  const size = bytes.subarray(sizeAt, start);
  // All bits set: as far as there is something.
  const isOpen = size.every((byte, index) => (index === 0 ? byte === 2 * mark - 1 : byte === 0xff));
  const sizeBytes = ((size[0] ?? 0) - mark) * 2 ** (8 * (size.length - 1)) + numberOf(size.subarray(1));
  return { id, start, end: isOpen ? bytes.byteLength : start + sizeBytes };
}

/** A number has as many bytes as its first has leading zeros, and one; beyond eight it is none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  return length > 8 ? Number.POSITIVE_INFINITY : length;
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
