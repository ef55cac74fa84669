import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The list that the default prices were read from is kept beside the project, not in it. */
const LIST = join(import.meta.dir, "../../../shared/prices/model_prices_and_context_window.json");
const CATALOG = join(import.meta.dir, "../../gateway/catalog/models.yaml");

type Rates = {
  readonly input_per_million: number;
  readonly output_per_million: number;
  readonly cached_input_per_million?: number;
  readonly cache_write_per_million?: number;
};

type Entry = {
  readonly id: string;
  readonly type: string;
  readonly targets: readonly { readonly provider: string; readonly model: string }[];
  readonly price: Rates & {
    readonly audio_input_per_million?: number;
    readonly long_input?: Rates & { readonly above_tokens: number };
  };
  readonly limits: { readonly context_tokens: number; readonly window_tokens?: number };
};

type Listed = Readonly<Record<string, number>>;

/** The list's names for providers. */
const PREFIXES: Readonly<Record<string, string>> = { google: "gemini/", xai: "xai/" };

function listedOf(entry: Entry, list: Readonly<Record<string, Listed>>): Listed {
  const [target] = entry.targets;
  return list[`${PREFIXES[target?.provider ?? ""] ?? ""}${target?.model}`] ?? {};
}

/** Credits per million tokens. */
function creditsOf(dollarsPerToken: number | undefined): number | undefined {
  return dollarsPerToken === undefined ? undefined : Number((dollarsPerToken * 1e9).toPrecision(9));
}

test("audio input rates equal those of the price list where they exceed the text rates", () => {
  if (!existsSync(LIST)) {
    console.log("no price list here, nothing compared");
    return;
  }
  const list = JSON.parse(readFileSync(LIST, "utf8"));
  const { models } = Bun.YAML.parse(readFileSync(CATALOG, "utf8")) as { models: Entry[] };
  for (const entry of models.filter(({ type, price }) => type === "text" && price)) {
    const { price } = entry;
    const listed = creditsOf(listedOf(entry, list)["input_cost_per_audio_token"]) ?? 0;
    const spoken = listed > price.input_per_million ? listed : undefined;
    expect(price.audio_input_per_million, entry.id).toBe(spoken);
  }
});

test("long-input rates and context windows equal those of the price list", () => {
  if (!existsSync(LIST)) {
    console.log("no price list here, nothing compared");
    return;
  }
  const list = JSON.parse(readFileSync(LIST, "utf8"));
  const { models } = Bun.YAML.parse(readFileSync(CATALOG, "utf8")) as { models: Entry[] };
  let compared = 0;
  for (const entry of models.filter(({ type, targets }) => type === "text" && targets[0])) {
    const listed = listedOf(entry, list);
    const bound = Object.keys(listed).find((name) => /^input_cost_per_token_above_\d+k_tokens$/.test(name));
    const long = entry.price?.long_input;
    expect(long === undefined, entry.id).toBe(bound === undefined);
    if (bound === undefined || long === undefined) continue;
    const suffix = bound.slice("input_cost_per_token".length);
    expect(`_above_${long.above_tokens / 1000}k_tokens`, entry.id).toBe(suffix);
    const rates = ["input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost"];
    const written = [long.input_per_million, long.output_per_million, long.cached_input_per_million];
    expect(written, entry.id).toEqual(rates.map((name) => creditsOf(listed[`${name}${suffix}`])) as number[]);
    expect(long.cache_write_per_million, entry.id).toBe(
      creditsOf(listed[`cache_creation_input_token_cost${suffix}`]),
    );
    expect(entry.limits.window_tokens, entry.id).toBe(listed["max_input_tokens"]);
    compared++;
  }
  expect(compared).toBe(9);
});
