/** A value that a person gave and we cannot take: which one, and what it accepts. The text is public. */
export type Invalid = { readonly outcome: "invalid"; readonly field: string; readonly accepts: string };

export function refuse(field: string, accepts: string): Invalid {
  return { outcome: "invalid", field, accepts };
}
