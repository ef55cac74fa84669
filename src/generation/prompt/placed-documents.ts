import { defaultTokensPerFile, type TextModel } from "../../catalog/index.ts";
import type { ChatMessage, FilePart, TextProvider } from "../../providers/index.ts";

/** The part of the registry that is needed here. */
export type PlaceChecks = {
  text(provider: string): Pick<TextProvider, "sendsAsWritten" | "writesOutResults">;
};

/**
 * The model with a token bound for files that its caller sent in an image's place, if its catalog entry has a bound
 * for images only. A server that speaks the caller's own wire decides itself what it reads there, and real images are
 * shown to every model with image input, whatever their declared type. For a file in a tool result the model is at
 * least told about it, so that an agent can go on. All other files get no bound and are therefore refused.
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
