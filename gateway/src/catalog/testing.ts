import { present } from "../kit/index.ts";
import type { Catalog } from "./catalog.ts";
import { type CatalogOptions, loadCatalog, readDefaults } from "./load/load-catalog.ts";
import type { ModelOfType, ModelType } from "./model.ts";

/** For tests only: catalogs written the way an operator would write them, so that they pass the same checks. */

export const TEXT_ENTRY = {
  id: "acme-chat",
  name: "Acme Chat",
  type: "text",
  targets: [{ provider: "acme", model: "m" }],
  credits_per_request: 1,
  price: { input_per_million: 100, output_per_million: 400 },
  limits: { context_tokens: 128_000, max_output_tokens: 8192 },
} as const;

/** Property tests build thousands of models; leaving out the default ones keeps that fast. */
const PLANS_ONLY = { plans: readDefaults().plans };

/** Providers that the default models name. Known, but not configured, so that none of those models is listed. */
const DEFAULT_PROVIDERS = [
  "sandbox",
  "openai",
  "anthropic",
  "google",
  "openrouter",
  "groq",
  "mistral",
  "deepseek",
  "xai",
  "together",
  "fal",
  "elevenlabs",
];

const ATTACHMENTS = new Map([
  ["tokens_per_image", "images"],
  ["tokens_per_file", "files"],
]);

/** The sandbox is configured beside the others unless it is disabled. */
type TestOptions = Partial<CatalogOptions> & { readonly sandboxEnabled?: boolean };

export function inspectCatalog(
  sections: Record<string, unknown>,
  { sandboxEnabled = true, configuredProviders = new Set(["acme"]), ...options }: TestOptions = {},
): ReturnType<typeof loadCatalog> {
  return loadCatalog({
    configuredProviders: new Set([...configuredProviders, ...(sandboxEnabled ? ["sandbox"] : [])]),
    knownProviders: new Set(["acme", "other", ...DEFAULT_PROVIDERS]),
    serves: () => true,
    dropsMessages: () => false,
    thinksBeyondLimit: () => false,
    aliasPrefix: "svc-",
    overlay: { given: sections, asWritten: sections },
    ...options,
  });
}

export function catalogWith(sections: Record<string, unknown>, options: TestOptions = {}): Catalog {
  const loaded = inspectCatalog(sections, options);
  if (loaded.outcome === "refused") throw new Error(loaded.problems.join("\n"));
  return loaded.catalog;
}

/** A text model with a limit for images or files gets the capability for them, too. */
export function modelFrom<T extends ModelType>(
  entry: { type: T } & Record<string, unknown>,
  options: TestOptions = {},
): ModelOfType<T> {
  const id = "test-model";
  const capabilities = Object.keys(entry.limits ?? {}).flatMap((limit) => ATTACHMENTS.get(limit) ?? []);
  const sections = { models: [{ ...TEXT_ENTRY, price: undefined, capabilities, ...entry, id }] };
  const catalog = catalogWith(sections, { defaults: PLANS_ONLY, ...options });
  return present(catalog.models.get(id), id) as ModelOfType<T>;
}
