import type { CompactionLevel } from "../efficiency/index.ts";

export type PreviewOptions = {
  readonly level: CompactionLevel;
  /** Read as the main interface reads it, else as the compatible one. */
  readonly isMain: boolean;
  /** False as for a model whose server drops messages itself. */
  readonly references: boolean;
};

/** The conversation of a body, as it came and as it goes on: what did not change is the same object. */
export type BodyPreview = {
  /** The field that it stands in. */
  readonly field: "messages" | "input";
  /** A text alone where that is all there is. */
  readonly before: readonly unknown[] | string;
  readonly after: readonly unknown[] | string;
  /** As the reply would tell them for a model of which nothing was learned yet. */
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};
