import type { TextModel } from "../../catalog/index.ts";
import type { TextProvider } from "../../providers/index.ts";
import { failureError } from "../paid-call/failure.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/** The only part of the registry that is used here. */
export type TextChecks = { text(provider: string): Pick<TextProvider, "check"> };

/**
 * Refuses what none of the model's targets would serve, before anything is held or written. If only some of them would
 * serve it, each of the others refuses it in its turn. Checks the names of the client's fields, until one target
 * accepts them.
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
