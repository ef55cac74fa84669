/**
 * A chunk of a stream, or a whole reply, as far as we read it. Nothing of it is promised: every field is
 * looked at before it is used, and there are others.
 */
export type WireChunk = {
  readonly [name: string]: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly error?: unknown;
  readonly object?: unknown;
};

export type WireChoice = {
  readonly [name: string]: unknown;
  readonly index?: unknown;
  readonly delta?: WireDelta | null;
  readonly message?: WireDelta | null;
  readonly finish_reason?: unknown;
  readonly logprobs?: { readonly content?: unknown } | null;
  readonly usage?: unknown;
  readonly error?: unknown;
};

export type WireDelta = {
  readonly [name: string]: unknown;
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
};
