/**
 * PostgreSQL array literals, built by hand because batches consist of them: the driver's own encoder passes every
 * element through a generic path that costs more than the rest of the call.
 */

/** For uuids, numbers and our own keywords, which never need quoting. */
export function plainArray(values: readonly (string | number | null)[]): string {
  // Joined in one step: a string built by concatenation would have to be flattened again before it is sent.
  return `{${(values.includes(null) ? values.map((value) => value ?? "NULL") : values).join(",")}}`;
}

type Columns<Field extends string, Value> = readonly { readonly [Name in Field]: Value }[];

/** One field of each item, as `plainArray` takes it. */
export function plainColumn<Field extends string>(
  items: Columns<Field, string | number | null>,
  field: Field,
): string {
  return plainArray(items.map((item) => item[field]));
}

export function quotedColumn<Field extends string>(
  items: Columns<Field, string | null>,
  field: Field,
): string {
  return quotedArray(items.map((item) => item[field]));
}

/** For arbitrary text. */
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
