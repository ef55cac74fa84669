import type { GivenFile } from "../../../gateway/src/contract/index.ts";
import { withoutLargeChunks } from "../media/lean-png.ts";
import { RenderRefusal } from "../media/render-refusal.ts";
import type { MusicJob, Render } from "../media/renderer.ts";
import { filterInPlace, highPass } from "../sound/biquad.ts";
import { createMp3Encoder, MP3_MEDIA_TYPE } from "../sound/encode-mp3.ts";
import { fadeEdges } from "../sound/fade.ts";
import { levelInPlace } from "../sound/level.ts";
import { loudnessLufs } from "../sound/loudness.ts";
import type { Pcm } from "../sound/pcm.ts";
import { arrange } from "./arrange.ts";
import { clamp, readBrief, type Tint } from "./brief/read-brief.ts";
import { CHANNELS, channelOf, perform } from "./performance.ts";
import type { Note, Score } from "./score.ts";

/** Without effects, and up to 8 kHz: enough to measure loudness, for a fraction of the work. */
const CHECK_SAMPLE_RATE = 16_000;
const LONGEST_SECONDS = 4;
const CHECK_VOLUME = 100;
/** Assumed for a part that does not play in the measured excerpt. */
const USUAL_LUFS = -26;
const MAX_VOLUME = 127;

/**
 * Instruments of a sound bank differ by 20 dB, so volumes cannot be fixed in advance: each part is measured alone, then
 * set to the level of its recipe.
 */
async function balance(score: Score): Promise<Score> {
  const heard = await listen(score, score.fullestBeat);
  const wishes = score.parts.map(({ levelDb }, part) => levelDb - (heard[part] ?? USUAL_LUFS));
  const loudest = Math.max(...wishes);
  const parts = score.parts.map((part, at) => {
    // The volume controller is quadratic (40 log10 of its value). The part that needs the most gets the maximum.
    const volume = MAX_VOLUME * 10 ** (((wishes[at] ?? loudest) - loudest) / 40);
    return { ...part, volume: Math.max(1, Math.round(volume)) };
  });
  return { ...score, parts };
}

async function listen(score: Score, fromBeat: number): Promise<(number | undefined)[]> {
  const lengthBeats = (LONGEST_SECONDS * score.bpm) / 60;
  const excerpt: Score = {
    ...score,
    parts: score.parts.map((part) => ({ ...part, volume: CHECK_VOLUME })),
    notes: score.notes.flatMap((note) => moved(note, fromBeat, lengthBeats)),
    turns: [],
  };
  const samples = Math.round(Math.min(LONGEST_SECONDS, score.durationMs / 1000) * CHECK_SAMPLE_RATE);
  const outputs = Array.from({ length: CHANNELS }, () => [
    new Float32Array(samples),
    new Float32Array(samples),
  ]);
  const unused = new Float32Array(samples);
  await perform(
    excerpt,
    { sampleRate: CHECK_SAMPLE_RATE, samples, hasEffects: false },
    (synth, from, count) => synth.processSplit(outputs, unused, unused, from, count),
  );
  return score.parts.map(({ isDrums }, part) => {
    const [left, right] = outputs[channelOf(part, isDrums)] ?? [];
    if (left === undefined || right === undefined) return undefined;
    const lufs = loudnessLufs({ sampleRate: CHECK_SAMPLE_RATE, channels: [left, right] });
    return Number.isFinite(lufs) ? lufs : undefined;
  });
}

function moved(note: Note, fromBeat: number, lengthBeats: number): Note[] {
  const startBeat = note.startBeat - fromBeat;
  return startBeat > -0.1 && startBeat < lengthBeats ? [{ ...note, startBeat: Math.max(startBeat, 0) }] : [];
}

const SAMPLE_SIDE = 24;

/** What images add to a mood: bright ones brighten it, vivid and warm ones give it energy. Null without images. */
export async function tintOf(images: readonly GivenFile[]): Promise<Tint | null> {
  if (images.length === 0) return null;
  const tints: Tint[] = [];
  for (const image of images) tints.push(await tintOfImage(image));
  const mean = (pick: (tint: Tint) => number) =>
    tints.reduce((sum, tint) => sum + pick(tint), 0) / tints.length;
  return { brightness: mean(({ brightness }) => brightness), energy: mean(({ energy }) => energy) };
}

async function tintOfImage({ bytes }: GivenFile): Promise<Tint> {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const canvas = createCanvas(SAMPLE_SIDE, SAMPLE_SIDE);
  const context = canvas.getContext("2d");
  try {
    context.drawImage(await loadImage(withoutLargeChunks(bytes)), 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  } catch {
    throw new RenderRefusal("A reference image cannot be read.");
  }
  return tintOfPixels(context.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE).data);
}

export function tintOfPixels(pixels: Uint8ClampedArray): Tint {
  let light = 0;
  let vivid = 0;
  let warmth = 0;
  const count = pixels.length / 4;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    light += (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    vivid += (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255;
    warmth += (red - blue) / 255;
  }
  return {
    brightness: clamp((light / count - 0.45) * 2.4),
    energy: clamp((vivid / count - 0.35) * 1.6 + (warmth / count) * 0.8),
  };
}

const MUSIC_SAMPLE_RATE = 44_100;

/** In stereo and with reverb; exactly as long as the score. */
async function playScore(score: Score): Promise<Pcm> {
  const samples = Math.round((score.durationMs * MUSIC_SAMPLE_RATE) / 1000);
  const left = new Float32Array(samples);
  const right = new Float32Array(samples);
  await perform(score, { sampleRate: MUSIC_SAMPLE_RATE, samples, hasEffects: true }, (synth, from, count) =>
    synth.process(left, right, from, count),
  );
  return { sampleRate: MUSIC_SAMPLE_RATE, channels: [left, right] };
}

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
