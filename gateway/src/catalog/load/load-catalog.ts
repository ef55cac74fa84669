import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, ROOT } from "../../kit/index.ts";
import type { Catalog } from "../catalog.ts";
import { buildOfferTable } from "../offer-table.ts";
import { DEFAULT_PLAN } from "../plans.ts";
import { buildModel } from "./build-model.ts";
import type { ModelEntry } from "./entry-schema.ts";
import { checkReferences } from "./references.ts";
import { addLayer, type CatalogSections, createDraft, type Draft } from "./sections.ts";

const DATA_DIR = join(ROOT, "gateway", "catalog");

export type CatalogOptions = {
  /** Providers that can be called. */
  readonly configuredProviders: ReadonlySet<string>;
  /** Providers that a model may name; any other is a typo. */
  readonly knownProviders: ReadonlySet<string>;
  /** Whether a configured provider makes this medium. */
  readonly serves: (provider: string, medium: Medium) => boolean;
  /** Whether the provider's server drops messages without being asked to. */
  readonly dropsMessages: (provider: string) => boolean;
  /** Whether the provider's models may reason beyond the output limit. */
  readonly thinksBeyondLimit: (provider: string) => boolean;
  readonly aliasPrefix: string;
  /** Sections of the configuration file. `asWritten` still has `${NAME}` placeholders, for use in messages. */
  readonly overlay?: { readonly given: CatalogSections; readonly asWritten: CatalogSections };
  /** The default data: the files in catalog/, unless a test passes its own. */
  readonly defaults?: CatalogSections;
};

export type LoadedCatalog =
  | { readonly outcome: "ok"; readonly catalog: Catalog }
  | { readonly outcome: "refused"; readonly problems: readonly string[] };

/**
 * Lays the operator's overlay over the default data. Any wrong setting refuses the whole catalog; every one is
 * reported.
 */
export function loadCatalog(options: CatalogOptions): LoadedCatalog {
  const draft = createDraft();
  const defaults = options.defaults ?? readDefaults();
  addLayer(draft, {
    given: defaults,
    asWritten: defaults,
    origin: "catalog/",
    isDefault: true,
    aliasPrefix: options.aliasPrefix,
  });
  if (options.overlay) addLayer(draft, { ...options.overlay, origin: "", isDefault: false, aliasPrefix: "" });
  // Skipped after an error: everything that names a broken entry would be reported as well.
  if (draft.problems.length === 0) checkReferences(draft, options.knownProviders);
  if (draft.problems.length > 0) return { outcome: "refused", problems: draft.problems };
  return { outcome: "ok", catalog: buildCatalog(draft, options) };
}

function buildCatalog(draft: Draft, options: CatalogOptions): Catalog {
  const { configuredProviders, serves, dropsMessages, thinksBeyondLimit } = options;
  const models = new Map(
    [...draft.models].map(([id, { entry }]) => {
      const medium = mediumOf(entry);
      const isServed = (provider: string) => configuredProviders.has(provider) && serves(provider, medium);
      return [id, buildModel(entry, { isServed, dropsMessages, thinksBeyondLimit })];
    }),
  );
  const aliases = new Map([...draft.aliases].map(([alias, { ids }]) => [alias, ids]));
  const plans = new Map([...draft.plans].map(([name, { plan }]) => [name, plan]));
  assert(plans.has(DEFAULT_PLAN), "the catalog needs the plan that organizations start with");
  const offersByPlan = new Map(
    [...plans.keys()].map((plan) => [plan, buildOfferTable({ models, aliases, plan })]),
  );
  const offersWithoutPlan = buildOfferTable({ models, aliases, plan: null });
  return Object.freeze({ models, aliases, plans, packs: draft.packs, offersByPlan, offersWithoutPlan });
}

/** What a provider must be able to make to serve a model. */
type Medium = "text" | "image" | "video" | "speech" | "music";

function mediumOf(entry: ModelEntry): Medium {
  return entry.type === "audio" ? entry.audio_kind : entry.type;
}

/** The data ships with the code, so a missing or broken file is our own bug. */
export function readDefaults(): CatalogSections {
  const sections = ["models", "aliases", "plans"].map((name) =>
    Bun.YAML.parse(readFileSync(join(DATA_DIR, `${name}.yaml`), "utf8")),
  );
  for (const section of sections) {
    assert(typeof section === "object" && section !== null, "a catalog file must be a mapping");
  }
  return Object.assign({}, ...sections) as CatalogSections;
}
