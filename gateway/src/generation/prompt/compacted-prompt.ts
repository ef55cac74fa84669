import {
  type Compaction,
  type CompactionLevel,
  compactionSteps,
  frameSteps,
  type TokenCount,
} from "../../../../compaction/src/index.ts";
import type { TextModel } from "../../catalog/index.ts";
import type { ChatMessage } from "../../contract/index.ts";
import type { Steps } from "../../kit/index.ts";
import type { EfficiencyReport } from "../outcome.ts";
import {
  type PromptEstimate,
  promptKindOf,
  type TokenCorrections,
} from "../token-correction/token-correction.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

type Compactable = {
  readonly prompt: ChatPrompt;
  readonly model: Pick<TextModel, "id" | "capabilities">;
  readonly efficiency: CompactionLevel;
  readonly count: TokenCount;
};

/** A prompt as it is sent, with its token counts: hold, charge, shown numbers and learning are based on it. */
export type CompactedPrompt = {
  readonly prompt: ChatPrompt;
  /** By our own count, the same on every node. */
  readonly estimate: PromptEstimate;
  /** Held for in addition: tokens of rare characters in tools and schemas. */
  readonly rareFrameTokens: number;
  readonly report: EfficiencyReport;
};

/**
 * Compaction decides by the uncorrected estimate, and the report shows the corrected one: what was learned must not
 * change how a message is compacted. In steps, none of which takes long.
 */
export function* compactedPromptSteps(
  { prompt, model, efficiency, count }: Compactable,
  corrections: Pick<TokenCorrections, "correct">,
): Steps<CompactedPrompt> {
  const { wire } = prompt;
  const compaction = yield* compactionSteps(prompt.messages, {
    level: efficiency,
    // A reference may point to a message that the provider drops.
    references: efficiency === "structural" && !isContextManaged({ prompt, model }),
    // The compatible wires have a separate role for tool results.
    fences: wire === undefined,
    isFixed: wire?.texts.isFixed,
    count,
  });
  const kind = promptKindOf(prompt);
  const frame = yield* frameSteps(prompt, count);
  const estimate: PromptEstimate = { tokens: compaction.compactedTokens + frame.tokens, kind };
  const probableTokens = corrections.correct(model.id, estimate);
  const originalTokens =
    compaction.tokensSaved === 0
      ? probableTokens
      : corrections.correct(model.id, { tokens: compaction.originalTokens + frame.tokens, kind });
  return {
    prompt: compaction.changed.length === 0 ? prompt : shownPrompt(prompt, compaction),
    estimate,
    rareFrameTokens: frame.ofRareLetters,
    report: {
      originalEstimatedTokens: originalTokens,
      compactedEstimatedTokens: probableTokens,
      tokensSaved: originalTokens - probableTokens,
      actions: compaction.actions,
    },
  };
}

/** True if the provider may drop or shorten messages. */
function isContextManaged({ prompt, model }: Pick<Compactable, "prompt" | "model">): boolean {
  return prompt.isContextManaged === true || model.capabilities.includes("context_management");
}

function shownPrompt(prompt: ChatPrompt, { messages, changed }: Compaction<ChatMessage>): ChatPrompt {
  const { wire } = prompt;
  if (wire === undefined) return { ...prompt, messages };
  return { ...prompt, messages, wire: { ...wire, body: wire.texts.rewrite(messages, changed) } };
}
