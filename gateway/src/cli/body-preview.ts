import type { CompactionLevel } from "../../../compaction/src/index.ts";

export type PreviewOptions = {
  readonly level: CompactionLevel;
  /** True to read it as the native API does, false as the OpenAI-compatible one. */
  readonly isMain: boolean;
  /** False for a model whose server drops messages itself. */
  readonly references: boolean;
};

/** The conversation of a request body before and after compaction: unchanged items are the same objects. */
export type BodyPreview = {
  /** The field that holds it. */
  readonly field: "messages" | "input";
  /** A string if the conversation is a single text. */
  readonly before: readonly unknown[] | string;
  readonly after: readonly unknown[] | string;
  /** As a reply would report them, for a model with no learned token correction yet. */
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};
