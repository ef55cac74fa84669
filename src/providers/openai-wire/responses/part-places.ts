import type { Fields } from "../wire-fields.ts";

type Part = { readonly given: Fields; readonly pieces: string[] };

/** The parts of an item by the order in which they came: some servers do not number them, and some never begin one. */
export class PartPlaces {
  readonly #numbered = new Map<unknown, number>();
  readonly #open = new Set<number>();
  readonly #parts: Part[];
  #lastType: unknown = "";
  #count: number;

  /** `given`: those that stood in the item as it began. */
  constructor(given: unknown) {
    const parts: readonly unknown[] = Array.isArray(given) ? given : [];
    for (const at of parts.keys()) this.#numbered.set(at, at);
    this.#parts = parts.map((part) => ({ given: part as Fields, pieces: [] }));
    this.#count = parts.length;
  }

  /** Null where it had begun before. */
  begin(wireIndex: unknown, part: Fields): number | null {
    if (wireIndex !== undefined && this.#numbered.has(wireIndex)) return null;
    const at = this.#count++;
    this.#lastType = part["type"];
    this.#numbered.set(wireIndex, at);
    this.#open.add(at);
    this.#parts[at] = { given: part, pieces: [] };
    return at;
  }

  /** Null for a part that has not begun. One without a number is the last, if that is of its type. */
  of(wireIndex: unknown, type: string): number | null {
    if (wireIndex !== undefined) return this.#numbered.get(wireIndex) ?? null;
    return this.#lastType === type ? this.#count - 1 : null;
  }

  write(at: number, piece: string): void {
    this.#parts[at]?.pieces.push(piece);
  }

  /** What this says of it beyond what has been told; empty where it says something else. */
  untoldIn(at: number, whole: Fields): string {
    const { given = {}, pieces = [] } = this.#parts[at] ?? {};
    const told = `${given[fieldOf(given)] ?? ""}${pieces.join("")}`;
    const said = whole[fieldOf(whole)];
    return typeof said === "string" && said.startsWith(told) ? said.slice(told.length) : "";
  }

  /** All of it, from a server that says it at its end, perhaps only there. */
  rewrite(at: number, whole: string): void {
    const { given } = this.#parts[at] ?? {};
    if (given === undefined) return;
    this.#parts[at] = { given: { ...given, [fieldOf(given)]: whole }, pieces: [] };
  }

  end(at: number, part: Fields): void {
    this.#open.delete(at);
    this.#parts[at] = { given: part, pieces: [] };
  }

  /** Those that have not ended. */
  get open(): Iterable<number> {
    return this.#open;
  }

  /** All with what was written of them. */
  whole(): readonly Fields[] {
    return this.#parts.map(({ given, pieces }) => {
      const field = fieldOf(given);
      return pieces.length === 0 ? given : { ...given, [field]: `${given[field] ?? ""}${pieces.join("")}` };
    });
  }
}

function fieldOf({ type }: Fields): "refusal" | "text" {
  return type === "refusal" ? "refusal" : "text";
}
