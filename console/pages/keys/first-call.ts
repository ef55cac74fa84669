import type { ModelRow, Scope } from "../../../gateway/src/http/console/contract.ts";

/** An example call: of a model, or the list of models. */
export type FirstCall =
  | { readonly kind: "chat" | "images" | "audio"; readonly model: string }
  | { readonly kind: "models" };

type Circumstances = {
  readonly scopes: readonly Scope[];
  /** Undefined until loaded. */
  readonly models: readonly ModelRow[] | undefined;
  readonly aliasPrefix: string;
};

/** A call that the key may make, of a model that is switched on; null if there is none. */
export function firstCall({ scopes, models, aliasPrefix }: Circumstances): FirstCall | null {
  const fast = `${aliasPrefix}fast`;
  const isAllowed = (scope: Scope) => scopes.includes(scope);
  if (models === undefined) return isAllowed("chat") ? { kind: "chat", model: fast } : null;
  const on = models.filter(({ isOn }) => isOn);
  const text = on.some(({ aliases }) => aliases.includes(fast))
    ? fast
    : on.find(({ type }) => type === "text")?.id;
  if (isAllowed("chat") && text !== undefined) return { kind: "chat", model: text };
  const image = on.find(({ type }) => type === "image");
  if (isAllowed("images") && image) return { kind: "images", model: image.id };
  const voice = on.find(({ choices }) => choices.audioKind === "speech");
  if (isAllowed("audio") && voice) return { kind: "audio", model: voice.id };
  return isAllowed("usage") ? { kind: "models" } : null;
}
