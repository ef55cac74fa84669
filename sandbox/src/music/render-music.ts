import type { MusicJob, Render } from "../media/renderer.ts";
import { filterInPlace, highPass } from "../sound/biquad.ts";
import { createMp3Encoder, MP3_MEDIA_TYPE } from "../sound/encode-mp3.ts";
import { fadeEdges } from "../sound/fade.ts";
import { levelInPlace } from "../sound/level.ts";
import type { Pcm } from "../sound/pcm.ts";
import { arrange } from "./arrange.ts";
import { readBrief } from "./brief/read-brief.ts";
import { tintOf } from "./brief/tint.ts";
import { playScore } from "./play-score.ts";
import { balance } from "./sound-check.ts";

const FADE_IN_MS = 6;
/** The last chord decays by itself; this only ensures that it is silent at the end. */
const MAX_FADE_OUT_MS = 1800;

export const renderMusic: Render<MusicJob> = async ({ request }) => {
  const tint = await tintOf(request.referenceImages);
  const pcm = await composeSound({ ...request, tint });
  const encoder = await createMp3Encoder({ sampleRate: pcm.sampleRate, channels: 2, bitrate: 192 });
  encoder.add(pcm.channels);
  return { ...encoder.finish(), mediaType: MP3_MEDIA_TYPE, width: null, height: null };
};

/** The music itself; also used as a soundtrack. */
export async function composeSound(wish: {
  readonly prompt: string;
  readonly style: string | null;
  readonly durationMs: number;
  readonly tint?: Awaited<ReturnType<typeof tintOf>>;
}): Promise<Pcm> {
  const score = arrange(readBrief(wish.prompt, wish.style, wish.tint ?? null), wish.durationMs);
  const pcm = await playScore(await balance(score));
  const fadeOutMs = Math.min(MAX_FADE_OUT_MS, wish.durationMs * 0.16);
  for (const samples of pcm.channels) {
    // Removes drift and rumble below what any speaker can play.
    filterInPlace(samples, highPass({ sampleRate: pcm.sampleRate, frequencyHz: 28 }));
    const perMs = pcm.sampleRate / 1000;
    fadeEdges(samples, Math.round(FADE_IN_MS * perMs), Math.round(fadeOutMs * perMs));
  }
  levelInPlace(pcm);
  return pcm;
}
