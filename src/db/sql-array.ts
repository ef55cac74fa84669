/**
 * PostgreSQL array literals, written by hand because batches are made of them: the driver's own
 * encoder walks every element through a generic path that costs more than the rest of the call.
 */

/** For uuids, numbers and words of ours: nothing in them ever needs quoting. */
export function plainArray(values: readonly (string | number | null)[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ",";
    text += values[i] ?? "NULL";
  }
  return `${text}}`;
}

/** For text of any origin. */
export function quotedArray(values: readonly (string | null)[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ",";
    const value = values[i];
    text += value === null || value === undefined ? "NULL" : quote(value);
  }
  return `${text}}`;
}

export function byteaArray(values: readonly (Uint8Array | null)[]): string {
  return quotedArray(
    values.map((value) => (value === null ? null : `\\x${Buffer.from(value).toString("hex")}`)),
  );
}

function quote(value: string): string {
  return `"${value.includes("\\") || value.includes('"') ? value.replace(/[\\"]/g, "\\$&") : value}"`;
}
