import { z } from "zod";
import { credits, number } from "./figure-words.ts";

const figure = z.int().nonnegative().optional();
const flag = z.boolean().optional();
const measured = z.object({
  cached_input_tokens: figure,
  cache_write_tokens: figure,
  audio_input_tokens: figure,
  reasoning_tokens: figure,
  cache_saved: z.int().optional(),
  n: figure,
  images: z.record(z.string(), z.int().nonnegative()).optional(),
  oblong: flag,
  duration_ms: figure,
  resolution: z.string().optional(),
  sound: flag,
  draft: flag,
  characters: figure,
  at_most: figure,
});

/** The JSON stored with a request; see `measured.ts`. */
type Measured = z.output<typeof measured>;

/** Empty if nothing was stored or it is not understood. */
export function readMeasured(kept: unknown): Measured {
  return measured.safeParse(kept).data ?? {};
}

/** What a call was charged for, in words; each part is null if the token counts already say it all. */
type MeasuredWords = {
  /** Shown next to the input tokens, such as `of which 11,000 cached`. */
  readonly input: string | null;
  readonly output: string | null;
  /** Such as `2 images at 1k`. */
  readonly work: string | null;
};

export function measuredWords(kept: unknown): MeasuredWords {
  const found = readMeasured(kept);
  return {
    input: partWords([
      [found.cached_input_tokens, "cached"],
      [found.cache_write_tokens, "written to the cache"],
      [found.audio_input_tokens, "spoken"],
    ]),
    output: partWords([[found.reasoning_tokens, "reasoning"]]),
    work: workWords(found),
  };
}

function partWords(parts: readonly (readonly [number | undefined, string])[]): string | null {
  const said = parts.flatMap(([tokens = 0, name]) => (tokens === 0 ? [] : [`${number(tokens)} ${name}`]));
  return said.length === 0 ? null : `of which ${said.join(", ")}`;
}

const MS_PER_SECOND = 1000;

function workWords(found: Measured): string | null {
  const { n, images, characters, duration_ms: durationMs, resolution, at_most: atMost } = found;
  const tiers = Object.entries(images ?? {}).map(([tier, count]) => `${counted(count, "image")} at ${tier}`);
  const said = [
    n === undefined ? "" : counted(n, "answer"),
    tiers.join(", "),
    images !== undefined && found.oblong ? "not square" : "",
    durationMs === undefined ? "" : `${number(durationMs / MS_PER_SECOND)} s${videoWords(found)}`,
    characters === undefined ? "" : counted(characters, "character"),
    resolution === undefined || atMost === undefined ? "" : `no more than its estimate of ${credits(atMost)}`,
  ].filter((words) => words !== "");
  return said.length === 0 ? null : said.join(", ");
}

function videoWords({ resolution, sound, draft }: Measured): string {
  if (resolution === undefined) return "";
  return ` at ${resolution}${sound ? " with sound" : ""}${draft ? " as a draft" : ""}`;
}

function counted(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? "" : "s"}`;
}
