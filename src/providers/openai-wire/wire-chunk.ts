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

/**
 * What a chunk is to its answer. The last piece is the one that says its end. Of a whole reply every entry of a call is a
 * call; a probe is read to see what becomes of
 * a piece like it, and nobody is told what it says: nothing of it may be remembered.
 */
export type ChunkKind = "piece" | "last" | "whole" | "probe";

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
  readonly annotations?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
};
