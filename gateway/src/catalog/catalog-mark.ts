import { sha256Hex } from "../kit/index.ts";
import type { Catalog } from "./catalog.ts";

const MARK_CHARACTERS = 16;

/** Equal for equal models, prices, aliases, plans and packs, and for equal `limits`: nodes with others charge others. */
export function catalogMark(
  { models, aliases, plans, packs }: Catalog,
  limits: Readonly<Record<string, number>>,
): string {
  return sha256Hex(JSON.stringify({ models, aliases, plans, packs, limits }, plain)).slice(
    0,
    MARK_CHARACTERS,
  );
}

function plain(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
