/** A voice is one of the synthesizer's four speakers, varied by pitch and head size. */
export type Voice = {
  readonly name: string;
  readonly speaker: "slt" | "rms" | "awb" | "kal16";
  /** Pitch of the finished voice; null if the speaker's own is kept, or cannot be changed. */
  readonly pitchHz: number | null;
  /** How far the intonation moves around the pitch. */
  readonly melodyHz: number | null;
  /** Above 1 means a smaller head with higher resonances. */
  readonly size: number;
  /** Its own pace at speed 1. */
  readonly pace: number;
  /** Raises or lowers the upper band, so that all voices are equally bright. */
  readonly presenceDb: number;
};

function voice(name: string, speaker: Voice["speaker"], more: Partial<Voice> = {}): Voice {
  return { name, speaker, pitchHz: null, melodyHz: null, size: 1, pace: 1, presenceDb: 3, ...more };
}

/** Speaks if no voice was named. */
const DEFAULT_VOICE = voice("ava", "slt", { pitchHz: 178, melodyHz: 18, size: 0.97, pace: 0.96 });

export const VOICES: readonly Voice[] = [
  DEFAULT_VOICE,
  voice("ben", "rms", { presenceDb: 1.5 }),
  voice("clara", "slt", { pitchHz: 148, melodyHz: 14, size: 0.92, pace: 0.96, presenceDb: 4 }),
  voice("daisy", "slt", { pitchHz: 218, melodyHz: 20, size: 1.07, pace: 0.97, presenceDb: 1 }),
  voice("ewan", "awb", { pitchHz: 126, melodyHz: 16, pace: 0.96 }),
  voice("finn", "awb", { pitchHz: 152, melodyHz: 20, size: 1.06, pace: 0.97, presenceDb: 2 }),
  voice("hugo", "kal16", { pitchHz: 104, melodyHz: 16, presenceDb: 0 }),
  voice("max", "rms", { size: 0.94, pace: 0.98, presenceDb: 2.5 }),
  voice("nora", "slt", { pitchHz: 194, melodyHz: 20, size: 1.02, pace: 1.02, presenceDb: 2 }),
  voice("theo", "rms", { size: 1.08, pace: 1.02, presenceDb: 1 }),
];

const BY_NAME: ReadonlyMap<string, Voice> = new Map(VOICES.map((each) => [each.name, each]));

export function findVoice(name: string | null): Voice | undefined {
  return name === null ? DEFAULT_VOICE : BY_NAME.get(name.toLowerCase());
}
