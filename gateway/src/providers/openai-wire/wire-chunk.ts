/**
 * A chunk of a stream, or a whole reply, as far as we read it. Nothing is guaranteed: every field is checked before
 * use, and there are others.
 */
export type WireChunk = {
  readonly [name: string]: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly error?: unknown;
  readonly object?: unknown;
};

/**
 * `last` is the piece that ends its answer. In a `whole` reply every tool call entry is a separate call. A `probe` is
 * read only to see which events a piece like it becomes; nobody receives them, so nothing of it may be remembered.
 */
export type ChunkKind = "piece" | "last" | "whole" | "probe";

export type WireChoice = {
  readonly [name: string]: unknown;
  readonly index?: unknown;
  readonly delta?: WireDelta | null;
  readonly message?: WireDelta | null;
  readonly finish_reason?: unknown;
  /** Of the model's own server, beside a router's. */
  readonly native_finish_reason?: unknown;
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
  readonly annotations?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
};
