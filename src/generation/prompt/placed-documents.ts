import { defaultTokensPerFile, type TextModel } from "../../catalog/index.ts";
import type { ChatMessage, FilePart, TextProvider } from "../../providers/index.ts";

/** Of the registry, all that is asked here. */
export type PlaceChecks = {
  text(provider: string): Pick<TextProvider, "sendsAsWritten" | "writesOutResults">;
};

/**
 * The model with a bound for documents that stand in a picture's place, where its entry has one for pictures alone: a
 * server of the caller's own wire judges itself what it reads from there, and real pictures are shown to every model
 * that takes them, whatever they are called. Of what a tool gave back the model is at least told, so that an agent can go
 * on. All other files stay without a bound, so that they are refused.
 */
export function withBoundForPlaced(
  registry: PlaceChecks,
  model: TextModel,
  messages: readonly ChatMessage[],
): TextModel {
  const { limits, targets } = model;
  if (limits.tokensPerFile !== null || limits.tokensPerImage === null) return model;
  const isSentThere = targets.some(({ provider }) => registry.text(provider).sendsAsWritten === true);
  const isTaken = ({ writtenAs, mediaType }: FilePart, role: ChatMessage["role"]) =>
    writtenAs !== undefined && (isSentThere || role === "tool" || mediaType?.startsWith("image/") === true);
  for (const { role, content } of messages) {
    if (content === null || typeof content === "string") continue;
    if (content.some((part) => part.type === "other" || (part.type === "file" && !isTaken(part, role))))
      return model;
  }
  return { ...model, limits: { ...limits, tokensPerFile: defaultTokensPerFile(limits.contextTokens) } };
}
