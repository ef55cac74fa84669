import type { ChatMessage } from "../../../contract/index.ts";
import { signedTexts } from "../../../wires/index.ts";
import type { UnseenSize } from "./unseen-size.ts";

/** Signatures go back to their provider with the turn, and stand for its reasoning. */
export function addSignatures(message: ChatMessage, unseen: UnseenSize): void {
  if (message.role !== "assistant") return;
  for (const { signature } of [...(message.toolCalls ?? []), ...(message.reasoning ?? [])]) {
    if (signature !== undefined) unseen.addEncrypted(signature, () => signedTexts(signature));
  }
}
