/**
 * PostgreSQL array literals, written by hand because batches are made of them: the driver's own
 * encoder walks every element through a generic path that costs more than the rest of the call.
 */

/** For uuids, numbers and words of ours: nothing in them ever needs quoting. */
export function plainArray(values: readonly (string | number | null)[]): string {
  // Joined at once: a text that grows by pieces has to be put together again before it can be sent.
  return `{${(values.includes(null) ? values.map((value) => value ?? "NULL") : values).join(",")}}`;
}

/** For text of any origin. */
export function quotedArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? "NULL" : quote(value))).join(",")}}`;
}

export function byteaArray(values: readonly (Uint8Array | null)[]): string {
  return quotedArray(
    values.map((value) => (value === null ? null : `\\x${Buffer.from(value).toString("hex")}`)),
  );
}

function quote(value: string): string {
  return `"${value.includes("\\") || value.includes('"') ? value.replace(/[\\"]/g, "\\$&") : value}"`;
}
