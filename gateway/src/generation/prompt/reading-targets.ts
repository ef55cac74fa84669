import type { TextModel } from "../../catalog/index.ts";
import { invalid } from "../../kit/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/**
 * The model with only those targets that can read the whole prompt: others would refuse it, or answer to a part of
 * the conversation. Throws if none is left.
 */
export function withReadingTargets(model: TextModel, { unreadableTo }: ChatPrompt): TextModel {
  if (unreadableTo === undefined) return model;
  let field: string | null = null;
  const targets = model.targets.filter(({ provider }) => {
    const unreadable = unreadableTo(provider);
    field ??= unreadable;
    return unreadable === null;
  });
  if (field === null) return model;
  if (targets.length === 0) throw invalid(field, UNREADABLE);
  return { ...model, targets };
}

const UNREADABLE =
  "only the provider that made it can read it, and this model is served by another; " +
  "go on with a model of that provider, or leave the item out";
