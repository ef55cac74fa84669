import type { SpessaSynthProcessor } from "spessasynth_core";
import type { Score } from "./score.ts";
import { loadSoundBank } from "./sound-bank.ts";

const BLOCK_SAMPLES = 128;
/** Notes start on this grid of under a millisecond: fewer render calls, no audible difference. */
const GRID_SAMPLES = 32;
const DRUM_CHANNEL = 9;
const VOLUME = 7;
const PAN = 10;
const REVERB = 91;
const CHORUS = 93;
export const CHANNELS = 16;

type Happening = { readonly at: number; readonly order: number; play(synth: SpessaSynthProcessor): void };

/** Plays a score from its beginning, and calls `render` for each span between two events. */
export async function perform(
  score: Score,
  stage: { readonly sampleRate: number; readonly samples: number; readonly hasEffects: boolean },
  render: (synth: SpessaSynthProcessor, from: number, count: number) => void,
): Promise<void> {
  const { SpessaSynthProcessor } = await import("spessasynth_core");
  const synth = new SpessaSynthProcessor(stage.sampleRate, {
    eventsEnabled: false,
    effectsEnabled: stage.hasEffects,
    maxBufferSize: BLOCK_SAMPLES,
  });
  synth.soundBankManager.addSoundBank(await loadSoundBank(), "main");
  await synth.processorInitialized;
  setUp(synth, score);
  const happenings = happeningsOf(score, stage.sampleRate);
  let next = 0;
  for (let at = 0; at < stage.samples; ) {
    for (let due = happenings[next]; due !== undefined && due.at <= at; due = happenings[++next])
      due.play(synth);
    const until = Math.min(happenings[next]?.at ?? stage.samples, at + BLOCK_SAMPLES, stage.samples);
    render(synth, at, until - at);
    at = until;
  }
}

/** In order, but skipping the tenth channel, which is reserved for drums in General MIDI. */
export function channelOf(part: number, isDrums: boolean): number {
  return isDrums ? DRUM_CHANNEL : part < DRUM_CHANNEL ? part : part + 1;
}

function setUp(synth: SpessaSynthProcessor, { parts }: Score): void {
  parts.forEach((part, index) => {
    const channel = channelOf(index, part.isDrums);
    synth.programChange(channel, part.program);
    synth.controllerChange(channel, VOLUME, part.volume);
    synth.controllerChange(channel, PAN, part.pan);
    synth.controllerChange(channel, REVERB, part.reverb);
    synth.controllerChange(channel, CHORUS, part.chorus);
  });
}

/** At the same moment, notes end before others begin; otherwise a repeated note would be cut off at once. */
function happeningsOf({ parts, notes, turns, bpm }: Score, sampleRate: number): Happening[] {
  const sampleAt = (beat: number) => Math.round((beat * 60 * sampleRate) / bpm / GRID_SAMPLES) * GRID_SAMPLES;
  const happenings: Happening[] = [];
  for (const { part, startBeat, lengthBeats, pitch, velocity } of notes) {
    const channel = channelOf(part, parts[part]?.isDrums ?? false);
    const start = sampleAt(startBeat);
    const end = Math.max(sampleAt(startBeat + lengthBeats), start + GRID_SAMPLES);
    happenings.push({ at: start, order: 2, play: (synth) => synth.noteOn(channel, pitch, velocity) });
    happenings.push({ at: end, order: 0, play: (synth) => synth.noteOff(channel, pitch) });
  }
  for (const { part, atBeat, controller, value } of turns) {
    const channel = channelOf(part, parts[part]?.isDrums ?? false);
    const play = (synth: SpessaSynthProcessor) => synth.controllerChange(channel, controller, value);
    happenings.push({ at: sampleAt(atBeat), order: 1, play });
  }
  return happenings.sort((one, other) => one.at - other.at || one.order - other.order);
}
