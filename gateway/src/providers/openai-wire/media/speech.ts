import type { CallContext, SpeechProvider, SpokenLine } from "../../../contract/index.ts";
import { afterId3Tag, sniffMediaType } from "../../../media/index.ts";
import { type OutboundResponse, readBytes, readJson } from "../../../outbound/index.ts";
import { joinWav, unjoinable } from "../../media/join-wav.ts";
import { madeFile } from "../../media/made-file.ts";
import { sayInTurn, turnsOf } from "../../media/spoken-turns.ts";
import type { WireAddress } from "../address.ts";
import { wireFailure } from "../wire-failure.ts";
import type { MediaCall } from "./media-call.ts";
import type { SpeechHabits } from "./speech-habits.ts";

/** Joins parts that were spoken one after the other; all must have the same type, as those of one server do. */
function joinSpeech(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const types = new Set(parts.map(sniffMediaType));
  if (types.size === 1 && types.has("audio/mpeg")) return joinMp3(parts);
  if (types.size === 1 && types.has("audio/wav")) return joinWav(parts, "wav");
  throw unjoinable("parts of several kinds");
}

/** MP3 frames are independent, so they can be concatenated; metadata about a whole file cannot. */
function joinMp3(parts: readonly Uint8Array[]): Uint8Array {
  const sounds = parts.map(bareFrames);
  const rates = new Set(sounds.map(rateOf));
  if (rates.size > 1) throw unjoinable("parts of different rates");
  return Buffer.concat(sounds);
}

/** MPEG version and sample rate, which decoders do not expect to change within a file. */
function rateOf(frames: Uint8Array): string {
  return `${(frames[1] ?? 0) & 0x18} ${(frames[2] ?? 0) & 0x0c}`;
}

const ID3V1_BYTES = 128;
/** Marks of a frame without sound that states the length of its file, which would be wrong for the joined one. */
const LENGTH_MARKS = ["Xing", "Info", "VBRI"];
const LENGTH_FRAME_LOOK_BYTES = 64;

function bareFrames(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - (textAt(bytes, bytes.length - ID3V1_BYTES, 3) === "TAG" ? ID3V1_BYTES : 0);
  const frames = bytes.subarray(afterId3Tag(bytes) ?? 0, end);
  const opening = textAt(frames, 0, LENGTH_FRAME_LOOK_BYTES);
  if (!LENGTH_MARKS.some((mark) => opening.includes(mark))) return frames;
  const next = nextFrameAt(frames);
  return next === null ? frames : frames.subarray(next);
}

/** Where the second frame with the same version, layer and sample rate begins. */
function nextFrameAt(frames: Uint8Array): number | null {
  for (let at = 4; at + 2 < frames.length; at += 1) {
    const isAlike =
      frames[at] === 0xff &&
      frames[at + 1] === frames[1] &&
      ((frames[at + 2] ?? 0) & 0x0c) === ((frames[2] ?? 0) & 0x0c);
    if (isAlike) return at;
  }
  return null;
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return start < 0 ? "" : String.fromCharCode(...bytes.subarray(start, start + length));
}

const MAX_SOUND_BYTES = 64 << 20;

type WireSpeechDeps = { readonly address: WireAddress; readonly call: MediaCall };

export function createWireSpeech(habits: SpeechHabits, { address, call }: WireSpeechDeps): SpeechProvider {
  async function say(turn: Turn, context: CallContext): Promise<Uint8Array> {
    const { model, line, speed } = turn;
    const voice = line.voice ?? habits.defaultVoice;
    const body = {
      model,
      input: line.text,
      ...(line.lines === undefined ? {} : { lines: line.lines }),
      ...(voice === null ? {} : { voice }),
      response_format: habits.format,
      ...(speed === 1 ? {} : { speed }),
    };
    const accept = "audio/*, application/json";
    const response = await call({ path: "/audio/speech", model, body, accept }, context);
    // Each part is checked separately: once joined, an empty one would go unnoticed.
    return madeFile(await soundOf(response, address.secrets), "audio").bytes;
  }

  return {
    async speak(model, { lines, speed }, context) {
      const turns = habits.takesLines ? [{ voice: null, text: "", lines }] : turnsOf(lines);
      const parts = await sayInTurn(turns, (line) => say({ model, line, speed }, context));
      return madeFile(joinSpeech(parts), "audio");
    },
  };
}

type Turn = {
  readonly model: string;
  readonly line: SpokenLine & { readonly lines?: readonly SpokenLine[] };
  readonly speed: number;
};

/** Nearly always the audio itself; some servers wrap it in JSON, and some errors come with a 200. */
async function soundOf(response: OutboundResponse, secrets: readonly string[]): Promise<Uint8Array> {
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (!isJson) return readBytes(response, MAX_SOUND_BYTES);
  const reply = (await readJson(response, MAX_SOUND_BYTES)) as {
    readonly audio_data?: unknown;
    readonly error?: unknown;
  } | null;
  if (typeof reply?.audio_data === "string") return Buffer.from(reply.audio_data, "base64");
  throw wireFailure(reply?.error ?? null, secrets);
}
