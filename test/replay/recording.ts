/** One recorded exchange with a provider. */
export type Recording = {
  /** Its path, for messages. */
  readonly name: string;
  /** The folder that it is in. */
  readonly provider: string;
  /** The request's URL; empty if it was not recorded. */
  readonly url: string;
  readonly request: unknown;
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
};

/** Why a recording is not replayed, in a wording that can be counted. */
export type Skipped = { readonly name: string; readonly reason: string };

export type Found = { readonly recordings: readonly Recording[]; readonly skipped: readonly Skipped[] };
