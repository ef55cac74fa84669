import type { TextModel } from "../../catalog/index.ts";
import type { TextProvider } from "../../contract/index.ts";
import { failureError } from "../paid-call/failure.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/** The part of the registry that is needed here. */
export type TextChecks = { text(provider: string): Pick<TextProvider, "check"> };

/**
 * Refuses what no target of the model would serve, before anything is held or recorded. If only some would refuse it,
 * each of them does so when its turn comes. Checks the client's fields without looking into messages, and stops at the
 * first target that accepts them.
 */
export function refuseUnserved(registry: TextChecks, { targets }: TextModel, { wire }: ChatPrompt): void {
  if (wire === undefined) return;
  let refusal: unknown = null;
  for (const { provider, model } of targets) {
    try {
      registry.text(provider).check?.(model, wire);
      return;
    } catch (error) {
      refusal = error;
    }
  }
  throw failureError(refusal);
}
