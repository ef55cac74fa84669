import type { Range } from "../theory/voicing.ts";

export type Instrument = {
  /** Matches the name in a prompt. The first match wins, so longer names are listed first. */
  readonly words: RegExp;
  readonly program: number;
  readonly roles: readonly ("lead" | "harmony" | "bass")[];
  readonly range: Range;
};

function instrument(words: string, program: number, range: Range, ...roles: Instrument["roles"]): Instrument {
  return { words: new RegExp(`\\b(?:${words})s?\\b`, "i"), program, roles, range };
}

export const INSTRUMENTS: readonly Instrument[] = [
  instrument("electric piano|rhodes|wurlitzer", 4, [50, 76], "harmony", "lead"),
  instrument("piano|keys|keyboard", 0, [52, 79], "harmony", "lead"),
  instrument("harpsichord", 6, [52, 79], "harmony", "lead"),
  instrument("music box", 10, [64, 91], "lead", "harmony"),
  instrument("vibraphone|vibe", 11, [57, 84], "lead", "harmony"),
  instrument("marimba|xylophone", 12, [57, 84], "lead", "harmony"),
  instrument("church organ|pipe organ", 19, [48, 76], "harmony", "lead"),
  instrument("organ|hammond", 16, [50, 76], "harmony", "lead"),
  instrument("accordion", 21, [57, 81], "lead", "harmony"),
  instrument("harmonica", 22, [60, 84], "lead"),
  instrument("distorted guitar|distortion", 30, [40, 64], "harmony"),
  instrument("electric guitar", 27, [52, 79], "lead", "harmony"),
  instrument("acoustic guitar|steel guitar|twelve string", 25, [48, 74], "harmony", "lead"),
  instrument("classical guitar|nylon guitar|guitar|ukulele", 24, [48, 74], "harmony", "lead"),
  instrument("banjo", 105, [55, 79], "lead", "harmony"),
  instrument("sitar", 104, [52, 76], "lead"),
  instrument("koto|shamisen", 107, [55, 79], "lead"),
  instrument("upright bass|double bass|contrabass", 32, [28, 50], "bass"),
  instrument("slap bass", 36, [28, 50], "bass"),
  instrument("synth bass", 38, [28, 50], "bass"),
  instrument("bass guitar|electric bass", 33, [28, 50], "bass"),
  instrument("violin|fiddle", 40, [60, 88], "lead"),
  instrument("viola", 41, [52, 79], "lead"),
  instrument("cello", 42, [43, 69], "lead"),
  instrument("harp", 46, [52, 86], "harmony", "lead"),
  instrument("pizzicato", 45, [50, 79], "harmony"),
  instrument("string quartet|strings|orchestra", 48, [48, 79], "harmony", "lead"),
  instrument("choir|voices|vocal", 52, [52, 76], "harmony", "lead"),
  instrument("trumpet", 56, [58, 82], "lead"),
  instrument("trombone", 57, [46, 69], "lead"),
  instrument("french horn|horn", 60, [48, 72], "lead", "harmony"),
  instrument("brass", 61, [50, 76], "harmony", "lead"),
  instrument("saxophone|sax", 66, [50, 76], "lead"),
  instrument("oboe", 68, [60, 84], "lead"),
  instrument("clarinet", 71, [55, 82], "lead"),
  instrument("piccolo", 72, [72, 98], "lead"),
  instrument("pan flute", 75, [62, 88], "lead"),
  instrument("recorder", 74, [64, 88], "lead"),
  instrument("flute", 73, [62, 90], "lead"),
  instrument("bagpipe", 109, [57, 77], "lead"),
  instrument("bell|glockenspiel|chime", 9, [72, 96], "lead"),
  instrument("kalimba", 108, [60, 86], "lead", "harmony"),
  instrument("steel drum|steelpan", 114, [57, 84], "lead"),
  instrument("synth lead|synth|synthesizer", 81, [55, 84], "lead"),
  instrument("pad", 89, [48, 76], "harmony"),
];
