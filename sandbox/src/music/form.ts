/** The structure of a piece: the number of bars, and a tempo that places the last chord exactly. */
export type Form = {
  readonly bpm: number;
  readonly bars: number;
  readonly beatsPerBar: number;
  /** Bars × beats, except for a sting shorter than a bar. */
  readonly totalBeats: number;
  readonly sections: readonly Section[];
};

type Section = {
  readonly name: "intro" | "A" | "B" | "C";
  readonly fromBar: number;
  readonly bars: number;
  /** From 0 to 1: how many play, and how hard. */
  readonly energy: number;
};

/** How far the tempo may change to get a round number of bars. */
const ROUND_BARS: readonly (readonly [bars: number, maxBend: number])[] = [
  [8, 0.06],
  [4, 0.08],
  [2, 0.1],
];
/** The last chord rings for at most this share of the piece. */
const MAX_RING_SHARE = 0.26;

export function planForm(plan: {
  readonly durationMs: number;
  readonly bpm: number;
  readonly beatsPerBar: number;
  readonly ringSeconds: number;
}): Form {
  const seconds = plan.durationMs / 1000;
  const bodySeconds = seconds - Math.min(plan.ringSeconds, seconds * MAX_RING_SHARE);
  const wantedBeats = (bodySeconds * plan.bpm) / 60;
  const wantedBars = wantedBeats / plan.beatsPerBar;
  const bars = Math.max(1, roundestBars(wantedBars));
  const isSting = wantedBars < 1.2;
  const totalBeats = isSting ? Math.max(1, Math.round(wantedBeats)) : bars * plan.beatsPerBar;
  return {
    bpm: (totalBeats * 60) / bodySeconds,
    bars,
    beatsPerBar: plan.beatsPerBar,
    totalBeats,
    sections: planSections(bars),
  };
}

/** Music comes in fours, then in twos; an odd number of bars only if the tempo would change too much. */
function roundestBars(wanted: number): number {
  for (const [unit, maxBend] of ROUND_BARS) {
    const bars = Math.round(wanted / unit) * unit;
    if (bars > 0 && Math.abs(bars / wanted - 1) <= maxBend) return bars;
  }
  return Math.round(wanted);
}

const PHRASE_BARS = 4;

function planSections(bars: number): Section[] {
  if (bars < PHRASE_BARS * 2) return [{ name: "A", fromBar: 0, bars, energy: 0.8 }];
  const sections: Section[] = [];
  const add = (name: Section["name"], length: number, energy: number) => {
    const fromBar = sections.reduce((sum, section) => sum + section.bars, 0);
    const left = bars - fromBar;
    if (left > 0) sections.push({ name, fromBar, bars: Math.min(length, left), energy });
  };
  const phrase = bars >= 32 ? PHRASE_BARS * 2 : PHRASE_BARS;
  add("intro", bars >= 24 ? PHRASE_BARS : 2, 0.35);
  const order = [
    ["A", 0.7],
    ["A", 0.8],
    ["B", 0.95],
    ["A", 0.85],
    ["C", 0.5],
    ["A", 0.9],
    ["B", 1],
  ] as const;
  for (let at = 0; sections.reduce((sum, section) => sum + section.bars, 0) < bars; at++) {
    const [name, energy] = order[at % order.length] ?? ["A", 0.8];
    add(name, phrase, energy);
  }
  return sections;
}

export function sectionOf({ sections }: Form, bar: number): Section {
  const section = sections.findLast(({ fromBar }) => fromBar <= bar) ?? sections[0];
  return section ?? { name: "A", fromBar: 0, bars: 1, energy: 0.8 };
}
