import { assert } from "../kit/index.ts";
import type { Provider, TextProvider } from "./contract.ts";

/** Every configured provider by its name. Elsewhere a name is only a value: nobody else branches on it. */
export type Registry = {
  /** Which providers are configured; the catalog lists a model only when one of its targets is. */
  readonly names: ReadonlySet<string>;
  /** A resolved target's provider. The catalog offers only what is registered, so a miss is our bug. */
  text(name: string): TextProvider;
};

export function createRegistry(providers: readonly Provider[]): Registry {
  const byName = new Map<string, Provider>();
  for (const provider of providers) {
    assert(!byName.has(provider.name), `two providers are named ${provider.name}`);
    byName.set(provider.name, provider);
  }
  return {
    names: new Set(byName.keys()),
    text(name) {
      const text = byName.get(name)?.text;
      assert(text !== undefined, `no text provider is named ${name}`);
      return text;
    },
  };
}
