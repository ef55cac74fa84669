/**
 * What can be asked for, and what it costs.
 * Owns models, aliases, plans and packs as data, who may see which model, and the arithmetic of prices.
 * Refuses to know balances, providers' wires and HTTP. Does no I/O after the start: everything here is frozen data and
 * pure functions.
 *
 * Invariants:
 * - What is listed is exactly what resolves. A hidden model answers like one that does not exist.
 * - Prices are exact, with one rounding up at the end. Usage within its bounds never costs more than its quote.
 * - A wrong figure stops the start instead of causing a wrong charge.
 */
export { believableUsage, mostOutputTokens } from "./believable-usage.ts";
export type { Catalog } from "./catalog.ts";
export { catalogMark } from "./catalog-mark.ts";
export { MAX_CHOICES, textCost, type Usage } from "./cost.ts";
export { creditsSaved, creditsSavedBy } from "./credits-saved.ts";
export { type FrozenVideoPrice, freezeVideoPrice, thawVideoPrice } from "./frozen-price.ts";
export { limitWords } from "./limit-words.ts";
export { defaultTokensPerFile } from "./load/build-model.ts";
export { type LoadedCatalog, loadCatalog } from "./load/load-catalog.ts";
export {
  measuredText,
  type Priced,
  pricedImages,
  pricedMusic,
  pricedSpeech,
  pricedVideo,
} from "./measured.ts";
export { measuredWords, readMeasured } from "./measured-words.ts";
export { imageCost, musicCost, videoCost } from "./media-cost.ts";
export {
  type AudioModel,
  type ImageModel,
  MODEL_TYPES,
  type Model,
  type ModelOfType,
  type ModelType,
  type MusicModel,
  type SpeechModel,
  type Target,
  type TextModel,
  type TextPrice,
  type VideoModel,
} from "./model.ts";
export { canBeCalled, servingIds } from "./offer-table.ts";
export { DEFAULT_PLAN, type Pack, type Plan, planOf } from "./plans.ts";
export { priceWords } from "./price-words.ts";
export { inputBoundTokens, outputTokensFor, textQuote } from "./quote.ts";
export {
  isOfType,
  listModels,
  organizationsNamedBy,
  resolveAnyModel,
  resolveModel,
  type Viewer,
  visibleAliases,
  visibleModels,
} from "./resolve.ts";
export { ratesFor } from "./text-price.ts";
