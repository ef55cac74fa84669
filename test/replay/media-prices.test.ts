import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The list that the default prices were read from is kept beside the project, not in it. */
const LIST = join(import.meta.dir, "../../../shared/prices/model_prices_and_context_window.json");
const CATALOG = join(import.meta.dir, "../../gateway/catalog/models.yaml");

type Entry = {
  readonly id: string;
  readonly type: string;
  readonly audio_kind?: string;
  readonly targets: readonly { readonly provider: string; readonly model: string }[];
  readonly credits_per_request: number;
  readonly price: {
    readonly per_image?: Readonly<Record<string, number>>;
    readonly per_oblong_image?: Readonly<Record<string, number>>;
    readonly per_second?: number | Readonly<Record<string, number>>;
    readonly per_thousand_characters?: number;
  };
};

type Listed = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The list's names for providers. */
const PREFIXES: Readonly<Record<string, string>> = {
  fal: "fal_ai/",
  google: "gemini/",
  elevenlabs: "elevenlabs/",
};
const QUALITIES: Readonly<Record<string, string>> = { "1k": "medium", "2k": "high" };

/** Every dollar figure that the list should have for an entry, and the credits that we charge for it. */
function* figuresOf(
  entry: Entry,
  list: Listed,
): Generator<readonly [what: string, dollars: number, credits: number]> {
  const [target] = entry.targets;
  const key = `${PREFIXES[target?.provider ?? ""] ?? ""}${target?.model}`;
  const listed = list[key] ?? {};
  const { price } = entry;
  if (entry.type === "image") {
    for (const [tier, credits] of Object.entries(price.per_image ?? {})) {
      const sized = list[`${QUALITIES[tier]}/1024-x-1024/${key}`]?.["input_cost_per_image"];
      yield [`${tier}`, sized ?? highestImagePrice(key, list), credits];
    }
    for (const [tier, credits] of Object.entries(price.per_oblong_image ?? {})) {
      yield [
        `${tier} oblong`,
        list[`${QUALITIES[tier]}/1536-x-1024/${key}`]?.["input_cost_per_image"] ?? 0,
        credits,
      ];
    }
  } else if (entry.type === "video") {
    for (const [resolution, credits] of Object.entries(price.per_second ?? {})) {
      const own = listed[`output_cost_per_second_${resolution}`];
      yield [resolution, own ?? listed["output_cost_per_second"] ?? 0, credits];
    }
  } else if (entry.audio_kind === "speech") {
    yield [
      "characters",
      (listed["input_cost_per_character"] ?? 0) * 1_000,
      price.per_thousand_characters ?? 0,
    ];
  } else {
    // The list has the price of a song in the field for images.
    yield ["song", listed["output_cost_per_image"] ?? 0, entry.credits_per_request];
  }
}

/** If two entries of the list are one model, the more expensive one. */
function highestImagePrice(key: string, list: Listed): number {
  const twin = key.replace(/^gemini\//, "");
  return Math.max(...[key, twin].map((name) => list[name]?.["output_cost_per_image"] ?? 0));
}

test("media prices equal those of the price list", () => {
  if (!existsSync(LIST)) {
    console.log("no price list here, nothing compared");
    return;
  }
  const list = JSON.parse(readFileSync(LIST, "utf8")) as Listed;
  const { models } = Bun.YAML.parse(readFileSync(CATALOG, "utf8")) as { models: readonly Entry[] };
  const media = models.filter(({ type, id }) => type !== "text" && !id.startsWith("sandbox-"));
  expect(media.length).toBeGreaterThan(10);
  for (const entry of media) {
    for (const [what, dollars, credits] of figuresOf(entry, list)) {
      expect(credits, `${entry.id}, ${what}`).toBeGreaterThan(0);
      expect(credits, `${entry.id}, ${what}`).toBeCloseTo(dollars * 1_000, 9);
    }
  }
});
