/**
 * Gives the memory of bytes back now instead of at some collection, for large ones that nobody reads again: they are
 * empty afterwards, and so is whatever else looks at the same memory.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}
