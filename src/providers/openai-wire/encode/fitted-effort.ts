import type { EncodeTarget } from "./encode-target.ts";

/** From not at all to as hard as can be; `default` is one vendor's word for thinking as it likes. */
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

/** The word for it that the model knows; null where it refuses to be told. A word that nobody knows goes on as it is. */
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
