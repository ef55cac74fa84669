const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUIDv7: sorts by time of creation, which is what request rows are partitioned and listed by. */
export function newId(): string {
  return Bun.randomUUIDv7();
}

/** Lower-cases and checks; undefined when the text is no UUID of any version. */
export function parseUuid(text: string): string | undefined {
  if (text.length !== 36) return undefined;
  const lower = text.toLowerCase();
  return UUID.test(lower) ? lower : undefined;
}
