import type { GivenFile, ImageRequest, VideoRequest } from "../gateway/src/contract/index.ts";
import type { RenderJob } from "../sandbox/src/media/renderer.ts";
import { STYLE_NAMES } from "../sandbox/src/music/styles/style-words.ts";
import { VOICES } from "../sandbox/src/speech/voices.ts";

export type Sample = { readonly section: string; readonly name: string; readonly job: RenderJob };

type PictureLine = readonly [
  prompt: string,
  ratio: string,
  tier?: ImageRequest["tier"],
  negativePrompt?: string,
];

const PLACES: readonly PictureLine[] = [
  ["a mountain landscape at sunset", "16:9"],
  ["rolling hills in spring with wildflowers", "3:2"],
  ["a quiet forest in the morning mist", "2:3"],
  ["two boats on a calm sea at sunset", "21:9"],
  ["a tropical beach with palms", "4:3"],
  ["a snowy village on christmas night", "1:1"],
  ["a rocket in a nebula", "1:2"],
];

const FIGURES: readonly PictureLine[] = [
  ["a ginger cat in a garden", "1:1"],
  ["a dog in front of a castle", "16:9"],
  ["two robots on a rainy road", "3:2"],
  ["a red car on a country road in autumn", "16:9"],
  ["balloons over green hills", "2:3"],
];

const STYLES: readonly PictureLine[] = [
  ["a fox in the forest", "1:1"],
  ["pixel art castle in the mountains", "1:1"],
  ["a pencil drawing of a boat at sea", "1:1"],
];

const TIERS: readonly PictureLine[] = [
  ["an owl in a moonlit forest", "1:1", "1k"],
  ["an owl in a moonlit forest", "1:1", "2k"],
  ["an owl in a moonlit forest", "16:9", "4k"],
  ["an owl in a moonlit forest", "1:1", "1k", "moon, trees, text"],
];

function pictures(section: string, lines: readonly PictureLine[]): Sample[] {
  return lines.map(([prompt, aspectRatio, tier = "1k", negativePrompt]) => ({
    section,
    name: `${prompt} (${aspectRatio}, ${tier}${negativePrompt ? `, without ${negativePrompt}` : ""})`,
    job: {
      kind: "image",
      request: { prompt, aspectRatio, tier, ...(negativePrompt ? { negativePrompt } : {}) },
      index: 0,
    },
  }));
}

type VideoLine = readonly [prompt: string, wishes: Partial<VideoRequest<GivenFile>>];

const VIDEOS: readonly VideoLine[] = [
  ["a sailing boat at sunset on the sea", { sound: true }],
  ["a cat in a flower meadow", { aspectRatio: "1:1", sound: true }],
  ["a house on a snowy hill", { aspectRatio: "9:16" }],
  ["a red fox in an autumn forest, camera pans right", { resolution: "720p", sound: true }],
  ["a rocket flies through space", { resolution: "1080p", durationMs: 2_000, draft: true }],
  ["pixel art of a car in the rain at night", { aspectRatio: "4:3" }],
];

function videos(): Sample[] {
  return VIDEOS.map(([prompt, wishes]) => {
    const request: VideoRequest<GivenFile> = {
      task: "text_to_video",
      prompt,
      durationMs: 4_000,
      resolution: "480p",
      aspectRatio: "16:9",
      sound: false,
      draft: false,
      keepAudio: true,
      seed: null,
      referenceImage: null,
      referenceVideo: null,
      referenceAudio: null,
      ...wishes,
    };
    const { resolution, aspectRatio, sound, draft } = request;
    const name = `${prompt} (${resolution}, ${aspectRatio}${sound ? ", sound" : ""}${draft ? ", draft" : ""})`;
    return { section: "Videos", name, job: { kind: "video", request } };
  });
}

function voices(): Sample[] {
  const text = "Good morning. The meeting on March 3rd is at 10:30, and lunch costs $12.50.";
  const alone = VOICES.map(
    ({ name }): Sample => ({
      section: "Voices",
      name,
      job: { kind: "speech", request: { lines: [{ voice: name, text }], speed: 1 } },
    }),
  );
  const lines = ["Have you seen the new pictures?", "I have. I like the whale best."].map((spoken, at) => ({
    voice: VOICES[at]?.name ?? null,
    text: spoken,
  }));
  return [
    ...alone,
    { section: "Voices", name: "two speakers", job: { kind: "speech", request: { lines, speed: 1 } } },
  ];
}

function music(): Sample[] {
  return STYLE_NAMES.map((style) => ({
    section: "Music",
    name: `${style}, 10 s`,
    job: {
      kind: "music",
      request: { prompt: `a piece of ${style}`, style, durationMs: 10_000, referenceImages: [] },
    },
  }));
}

/** One of each medium, tier and style, and a few more to look at. */
export function gallerySamples(): Sample[] {
  return [
    ...pictures("Places", PLACES),
    ...pictures("Figures", FIGURES),
    ...pictures("Styles", STYLES),
    ...pictures("Tiers", TIERS),
    ...videos(),
    ...voices(),
    ...music(),
  ];
}
