import { signedTexts } from "../../../generation/index.ts";
import type { ChatMessage } from "../../../providers/index.ts";
import type { UnseenSize } from "./unseen-size.ts";

/** What providers have signed goes back to them with a turn, and stands for what they thought. */
export function addSignatures(message: ChatMessage, unseen: UnseenSize): void {
  if (message.role !== "assistant") return;
  for (const { signature } of [...(message.toolCalls ?? []), ...(message.reasoning ?? [])]) {
    if (signature !== undefined) unseen.addEncrypted(signature, () => signedTexts(signature));
  }
}
