import type { TextModel } from "../../catalog/index.ts";
import type { TextProvider } from "../../providers/index.ts";
import { failureError } from "../paid-call/failure.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/** Of the registry, all that is asked here. */
export type TextChecks = { text(provider: string): Pick<TextProvider, "check"> };

/**
 * Refuses what none of the model's targets would serve, while nothing is held and no row tells of it. What some would,
 * each refuses in its turn. Looks at the names of the client's fields, until one target has nothing against them.
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
