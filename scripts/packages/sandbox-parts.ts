import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type * as Synth from "spessasynth_core";
import { loadSoundBank, SOUND_FONT } from "../../sandbox/src/music/sound-bank.ts";
import { STYLES } from "../../sandbox/src/music/styles/styles.ts";
import { FONT_FILES } from "../../sandbox/src/pictures/finish/fonts.ts";

const PACKAGES = join(import.meta.dir, "..", "..", "sandbox", "node_modules");
/** Besides its data: who may use it, and on what terms. */
const PAPERS = /^(package\.json|licen[cs]e.*|.*_license\.md)$/i;

/**
 * Two packages are mostly data that the sandbox never reads, and would be half of its download: their parts are carried
 * inside its own. Returns their names.
 */
export async function carryParts(folder: string): Promise<string[]> {
  const to = (file: string) => {
    const path = join(folder, "node_modules", file);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const { file } of FONT_FILES) cpSync(join(PACKAGES, file), to(file));
  writeFileSync(to(SOUND_FONT), playedPart(await loadSoundBank()));
  const names = ["@fontsource/inter", dirname(SOUND_FONT)];
  for (const name of names)
    for (const paper of readdirSync(join(PACKAGES, name)).filter((each) => PAPERS.test(each)))
      cpSync(join(PACKAGES, name, paper), to(`${name}/${paper}`));
  return names;
}

/** The instruments that a style may pick. Their samples stay as they are. */
function playedPart(bank: Synth.BasicSoundBank): Uint8Array {
  const styles = Object.values(STYLES);
  const programs = new Set(styles.flatMap(({ parts }) => parts.flatMap((part) => part.programs)));
  const kits = new Set(styles.map(({ drums }) => drums?.kit));
  const isPlayed = ({ isDrum, bankMSB, program }: Synth.BasicPreset) =>
    isDrum ? kits.has(program) : bankMSB === 0 && programs.has(program);
  for (const preset of bank.presets.filter((each) => !isPlayed(each))) bank.deletePreset(preset);
  bank.removeUnusedElements();
  return new Uint8Array(bank.writeSF2());
}
