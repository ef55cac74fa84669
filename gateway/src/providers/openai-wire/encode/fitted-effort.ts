import type { EncodeTarget } from "./encode-target.ts";

/** From no reasoning to the most; `default` is one vendor's word for letting the model decide. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ["none", 0],
  ["minimal", 1],
  ["low", 2],
  ["medium", 3],
  ["default", 3],
  ["high", 4],
  ["xhigh", 5],
  ["max", 6],
]);

/** The nearest effort that the model accepts; null if it accepts none. An unknown effort is passed on unchanged. */
export function fittedEffort(effort: string, { vendor, model }: EncodeTarget): string | null {
  const known = vendor.modelEfforts.find(({ models }) => models.test(model))?.efforts;
  if (known === undefined || known.includes(effort)) return effort;
  const [first] = known;
  if (first === undefined) return null;
  const asked = PLACES.get(effort);
  if (asked === undefined) return effort;
  const distance = (word: string) => Math.abs((PLACES.get(word) ?? 0) - asked);
  return known.reduce((near, word) => (distance(word) < distance(near) ? word : near), first);
}
