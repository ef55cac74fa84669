/** An input value that is not accepted: which one, and what would be. The text is public. */
export type Invalid = { readonly outcome: "invalid"; readonly field: string; readonly accepts: string };

export function refuse(field: string, accepts: string): Invalid {
  return { outcome: "invalid", field, accepts };
}
