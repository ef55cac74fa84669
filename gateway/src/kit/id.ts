const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUIDv7: sorts by creation time, by which request rows are partitioned and listed. */
export function newId(): string {
  return Bun.randomUUIDv7();
}

/** In lower case; undefined if the text is not a UUID of any version. */
export function parseUuid(text: string): string | undefined {
  if (text.length !== 36) return undefined;
  const lower = text.toLowerCase();
  return UUID.test(lower) ? lower : undefined;
}
