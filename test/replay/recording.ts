/** One exchange with a provider as somebody recorded it. */
export type Recording = {
  /** Where it stands, for messages. */
  readonly name: string;
  /** Whose it is: the folder that it stands in. */
  readonly provider: string;
  /** Of the request, where it was recorded; else empty. */
  readonly url: string;
  readonly request: unknown;
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
};

/** Why a recording is not replayed, in words that can be counted. */
export type Skipped = { readonly name: string; readonly reason: string };

export type Found = { readonly recordings: readonly Recording[]; readonly skipped: readonly Skipped[] };
