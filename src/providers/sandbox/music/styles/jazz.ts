import type { StyleRecipe } from "./style-recipe.ts";

export const JAZZ: StyleRecipe = {
  tempoBpm: [118, 148],
  beatsPerBar: 4,
  swing: 0.155,
  swingUnit: 1,
  ringSeconds: 2.8,
  mode: "major",
  scale: { major: "major", minor: "dorian" },
  progressions: {
    major: [
      "ii9 V13 Imaj9 VI7",
      "Imaj7/VI7 ii9/V13 iii7/VI7 ii9/V13",
      "iii7 VI9 ii9 V13",
      "IVmaj7 iv6 iii7/VI7 ii9/V13",
    ],
    minor: ["i9 iim7b5/V7 i9 bVI7/V7", "iv9 bVII13 bIIImaj7 bVImaj7", "i7 iv9 iim7b5 V7"],
  },
  cadence: { major: "ii9 V13", minor: "iim7b5 V7" },
  ending: { major: "Imaj9", minor: "im6" },
  cells: [
    "x-xx .-x- x-.x x---",
    ".-xx x-x- .x-- x-x-",
    "x--x -x.x x-x- ----",
    "xxx- .x-x -.x- x-..",
    "..xx xxx- x--- .-x-",
  ],
  landings: ["x-x- .x-- ---- ....", "xx.x ---- .... ....", ".-x- x--- .... ...."],
  parts: [
    {
      role: "harmony",
      pattern: {
        kind: "chords",
        grids: ["x-.. ..x- .... ....", "..x- .... .-x- ....", "x-.x .... ..x- ....", ".... x-.x .... x-.."],
        strumBeats: 0.008,
      },
      programs: [0, 26, 4],
      range: [52, 73],
      levelDb: -6,
      pan: 46,
      reverb: 38,
    },
    {
      role: "bass",
      pattern: { kind: "walk" },
      programs: [32],
      range: [31, 50],
      levelDb: -4,
      pan: 62,
      reverb: 20,
    },
    {
      role: "lead",
      pattern: { kind: "melody" },
      programs: [66, 11, 56, 26, 71],
      range: [58, 82],
      levelDb: -3,
      pan: 76,
      reverb: 52,
    },
  ],
  drums: {
    kit: 32,
    grooves: [
      {
        ride: "x... x..o x... x..o",
        pedal: ".... x... .... x...",
        kick: "o... .... o... ....",
        snare: ".... ..g. .... ...g",
      },
      {
        ride: "x... x..o x... x..o",
        pedal: ".... x... .... x...",
        kick: "o... ..g. .... ....",
        snare: "...g .... .g.. ..o.",
      },
    ],
    light: { ride: "o... o..g o... o..g", pedal: ".... o... .... o..." },
    fills: [
      {
        ride: "x... x..o .... ....",
        pedal: ".... x... .... x...",
        kick: "o... .... ...x ....",
        snare: ".... ..g. o.x. xo.x",
        mid: ".... .... .o.. ..x.",
      },
    ],
    levelDb: -5,
    reverb: 34,
    crashes: false,
  },
  looseMs: 8,
};
