const MAX_DEPTH = 4;

/** Fields in which models return music and speech. */
export const SOUND_FIELDS = ["audio", "audio_file", "audio_url", "output"];

/**
 * The address of the file in a vendor's output: the output itself, the first of a list, or one of these fields, which
 * may hold any of the three. Null if there is none.
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
