import type { ChatMessage } from "../../providers/index.ts";
import type { UnseenSize } from "./unseen-size.ts";

/** What providers have signed goes back to them with a turn, and stands for what they thought. */
export function addSignatures(message: ChatMessage, unseen: UnseenSize): void {
  if (message.role !== "assistant") return;
  for (const { signature } of message.toolCalls ?? [])
    if (signature !== undefined) unseen.addEncrypted(signature);
  for (const { signature } of message.reasoning ?? [])
    if (signature !== undefined) unseen.addEncrypted(signature);
}
