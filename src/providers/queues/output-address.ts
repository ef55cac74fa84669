const MAX_DEPTH = 4;

/** Where models put music and speech. */
export const SOUND_FIELDS = ["audio", "audio_file", "audio_url", "output"];

/**
 * Where the file stands in what a vendor made: the address itself, the first of a list, or the field of one of
 * these names, which may hold any of the three. Null where there is none.
 */
export function outputAddress(output: unknown, names: readonly string[], depth = 0): string | null {
  if (typeof output === "string") return /^(?:https?:\/\/|data:)/i.test(output) ? output : null;
  if (typeof output !== "object" || output === null || depth >= MAX_DEPTH) return null;
  if (Array.isArray(output)) return outputAddress(output[0], names, depth + 1);
  const fields = output as Readonly<Record<string, unknown>>;
  for (const name of [...names, "url"]) {
    const found = Object.hasOwn(fields, name) ? outputAddress(fields[name], names, depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}
