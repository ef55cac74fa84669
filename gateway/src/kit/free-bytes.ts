/**
 * Frees the memory of large buffers now instead of at some later collection. Afterwards the array is empty, and so is
 * every other view of the same buffer.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}
