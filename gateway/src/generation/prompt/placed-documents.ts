import { defaultTokensPerFile, type TextModel } from "../../catalog/index.ts";
import { type ChatMessage, type FilePart, type TextProvider, textOfFile } from "../../contract/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/** The part of the registry that is needed here. */
export type PlaceChecks = {
  text(provider: string): Pick<TextProvider, "sendsAsWritten" | "writesOutResults">;
};

/**
 * The model with a token bound for files that it takes although its catalog entry has none for them, if the prompt has
 * no others:
 * - Text that a tool returned as a file, if every target is sent the text in its place.
 * - What its caller sent in an image's place, if there is a bound for images. A server that speaks the caller's own wire
 *   decides itself what it reads there, and real images are shown to every model with image input, whatever their
 *   declared type. For a file in a tool result the model is at least told about it, so that an agent can go on.
 *
 * All other files get no bound and are therefore refused.
 */
export function withBoundForPlaced(
  registry: PlaceChecks,
  model: TextModel,
  { messages, wire }: Pick<ChatPrompt, "messages" | "wire">,
): TextModel {
  const { limits, targets } = model;
  if (limits.tokensPerFile !== null) return model;
  const providers = targets.map(({ provider }) => registry.text(provider));
  const isSentThere = providers.some(({ sendsAsWritten }) => sendsAsWritten === true);
  const areResultsText = providers.every(
    (provider) => provider.sendsAsWritten !== true || provider.writesOutResults?.(wire) === true,
  );
  const isTaken = (file: FilePart, role: ChatMessage["role"]) => {
    if (role === "tool" && areResultsText && textOfFile(file) !== null) return true;
    if (limits.tokensPerImage === null || file.writtenAs === undefined) return false;
    return isSentThere || role === "tool" || file.mediaType?.startsWith("image/") === true;
  };
  for (const { role, content } of messages) {
    if (content === null || typeof content === "string") continue;
    if (content.some((part) => part.type === "other" || (part.type === "file" && !isTaken(part, role))))
      return model;
  }
  return { ...model, limits: { ...limits, tokensPerFile: defaultTokensPerFile(limits.contextTokens) } };
}
