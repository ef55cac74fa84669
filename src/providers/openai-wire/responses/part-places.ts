import { type Fields, fieldsOf, textOf } from "../wire-fields.ts";
import { pieceOf } from "./part-events.ts";
import { ToldWords } from "./told-words.ts";

type Part = { readonly given: Fields; readonly pieces: string[] };

/** The parts of an item by the order in which they came: some servers do not number them, and some never begin one. */
export class PartPlaces {
  readonly #numbered = new Map<unknown, number>();
  readonly #open = new Set<number>();
  readonly #parts: Part[];
  /** Whatever their parts became: all by their type, and those of each part. */
  readonly #told = new Map<unknown, ToldWords>();
  readonly #toldOf = new Map<number, ToldWords>();
  /** The part that the last words of a type stand in. */
  readonly #lastTold = new Map<unknown, number>();
  readonly #begunTypes = new Set<unknown>();
  /** Whether the numbers of this item's events have been shown to mean nothing. */
  #isRenumbered = false;
  #lastType: unknown = "";
  #count: number;

  /** `given`: those that stood in the item as it began. */
  constructor(given: unknown) {
    const parts: readonly unknown[] = Array.isArray(given) ? given : [];
    for (const at of parts.keys()) this.#numbered.set(at, at);
    this.#parts = parts.map((part) => ({ given: fieldsOf(part), pieces: [] }));
    this.#count = parts.length;
    for (const [at, { given: part }] of this.#parts.entries()) {
      this.#begunTypes.add(part["type"]);
      this.#tell(at, part["type"], wordsOf(part));
      // One with words may be whole.
      if (pieceOf(part["type"]) !== undefined && wordsOf(part) === "") this.#open.add(at);
    }
  }

  /** Null where it had begun before. */
  begin(wireIndex: unknown, part: Fields): number | null {
    if (wireIndex !== undefined && this.#numbered.has(wireIndex)) return null;
    const at = this.#count++;
    this.#lastType = part["type"];
    this.#begunTypes.add(part["type"]);
    this.#numbered.set(wireIndex, at);
    this.#open.add(at);
    this.#parts[at] = { given: part, pieces: [] };
    this.#tell(at, part["type"], wordsOf(part));
    return at;
  }

  /** A part that its server speaks of and has not begun: where it has begun another of that type, it may mean that one. */
  beginUnannounced(wireIndex: unknown, empty: Fields): number {
    if (this.#begunTypes.has(empty["type"])) this.#isRenumbered = true;
    return this.begin(wireIndex, empty) ?? 0;
  }

  /** Null for a part that has not begun. One without a number is the last, if that is of its type. */
  of(wireIndex: unknown, type: string): number | null {
    if (wireIndex !== undefined) return this.#numbered.get(wireIndex) ?? null;
    return this.#lastType === type ? this.#count - 1 : null;
  }

  write(at: number, type: string, piece: string): void {
    this.#parts[at]?.pieces.push(piece);
    this.#tell(at, type, piece);
  }

  /**
   * What a part says at its end beyond what has been told, and is told from now on; empty where it says something else.
   * Some servers number every event anew: then its words may have been told as those of other parts, and nothing is
   * told twice. Until one has shown that it does so, two parts may say the same, and may be told in turns.
   */
  takeUntold(at: number, whole: Fields): string {
    const { type } = whole;
    const said = wordsOf(whole);
    const untold = this.#isRenumbered ? this.#untoldAnywhere(at, type, said) : this.#untoldIn(at, type, said);
    this.#tell(at, type, untold);
    return untold;
  }

  #untoldIn(at: number, type: unknown, said: string): string {
    return this.#toldIn(at).restOf(said) ?? this.#toldAs(type).restOf(said) ?? "";
  }

  #untoldAnywhere(at: number, type: unknown, said: string): string {
    const told = this.#toldAs(type);
    if (told.endWith(said)) return "";
    const own = this.#lastTold.get(type) === at ? this.#toldIn(at) : undefined;
    return told.restOf(said) ?? own?.restOf(said) ?? "";
  }

  /** The types of which all words of these have been told, in whatever parts. */
  typesTold(wholes: readonly Fields[]): ReadonlySet<unknown> {
    const said = new Map<unknown, string>();
    for (const whole of wholes) said.set(whole["type"], (said.get(whole["type"]) ?? "") + wordsOf(whole));
    return new Set([...said].flatMap(([type, words]) => (this.#toldAs(type).endWith(words) ? [type] : [])));
  }

  /**
   * Of the parts that an item has at its end, with their numbers, those that nobody has begun. Not where words of their
   * type were told that do not stand in the parts before them: those may be theirs, under other numbers.
   */
  unbegun(wholes: readonly Fields[]): readonly (readonly [number, Fields])[] {
    const before = new Map<unknown, string>();
    for (const whole of wholes.slice(0, this.#count)) {
      before.set(whole["type"], (before.get(whole["type"]) ?? "") + wordsOf(whole));
    }
    const rest = [...wholes.entries()].slice(this.#count);
    const types = new Set(rest.map(([, { type }]) => type));
    const untold = new Set(
      [...types].filter((type) => this.#toldAs(type).restOf(before.get(type) ?? "") === ""),
    );
    return rest.filter(([, { type }]) => untold.has(type));
  }

  /** All of it, from a server that says it at its end, perhaps only there. */
  rewrite(at: number, whole: string): void {
    const { given } = this.#parts[at] ?? {};
    if (given === undefined) return;
    this.#parts[at] = { given: { ...given, [wordsFieldOf(given)]: whole }, pieces: [] };
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
      const field = wordsFieldOf(given);
      return pieces.length === 0 ? given : { ...given, [field]: `${given[field] ?? ""}${pieces.join("")}` };
    });
  }

  #tell(at: number, type: unknown, words: string): void {
    if (words === "") return;
    this.#toldAs(type).push(words);
    this.#toldIn(at).push(words);
    this.#lastTold.set(type, at);
  }

  #toldAs(type: unknown): ToldWords {
    const told = this.#told.get(type) ?? new ToldWords();
    this.#told.set(type, told);
    return told;
  }

  #toldIn(at: number): ToldWords {
    const told = this.#toldOf.get(at) ?? new ToldWords();
    this.#toldOf.set(at, told);
    return told;
  }
}

function wordsOf(part: Fields): string {
  return textOf(part[wordsFieldOf(part)]);
}

export function wordsFieldOf({ type }: Fields): "refusal" | "text" {
  return type === "refusal" ? "refusal" : "text";
}
