/** Numbers in [0, 1), the same for the same seed, so that a sandbox answer can be repeated. */
export type Random = () => number;

export function seedOf(text: string): number {
  return Bun.hash.xxHash32(text);
}

/** Mulberry32: short, well distributed, and no secret depends on it. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pickOne<T>(random: Random, options: readonly [T, ...T[]]): T {
  return options[Math.floor(random() * options.length)] ?? options[0];
}
