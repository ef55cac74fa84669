import { type Fields, fieldsOf, textOf } from "../../../wires/index.ts";
import { pieceOf } from "./part-events.ts";

/**
 * Text that was sent in pieces. They are never joined: a server may end a text after every piece, and each time all of
 * it would be copied.
 */
class SentText {
  readonly #pieces: string[] = [];

  push(piece: string): void {
    if (piece !== "") this.#pieces.push(piece);
  }

  /** What `said` has beyond the pieces; null if it does not begin with all of them. */
  restOf(said: string): string | null {
    let at = 0;
    for (const piece of this.#pieces) {
      if (!said.startsWith(piece, at)) return null;
      at += piece.length;
    }
    return said.slice(at);
  }

  endWith(said: string): boolean {
    let left = said.length;
    for (let index = this.#pieces.length - 1; index >= 0 && left > 0; index--) {
      const piece = this.#pieces[index] ?? "";
      if (piece.length >= left) return piece.endsWith(said.slice(0, left));
      if (!said.endsWith(piece, left)) return false;
      left -= piece.length;
    }
    return left === 0;
  }
}

type Part = { readonly given: Fields; readonly pieces: string[] };

/**
 * The parts of an item in the order in which they came: some servers do not number them, and some never announce one.
 */
export class PartPlaces {
  readonly #numbered = new Map<unknown, number>();
  readonly #open = new Set<number>();
  readonly #parts: Part[];
  /** Text sent so far, by type and by part; it stays even if the parts are replaced. */
  readonly #sentByType = new Map<unknown, SentText>();
  readonly #sentByPart = new Map<number, SentText>();
  /** The part that the last text of a type was sent for. */
  readonly #lastSent = new Map<unknown, number>();
  readonly #begunTypes = new Set<unknown>();
  /** True once the indexes in this item's events have turned out to be meaningless. */
  #isRenumbered = false;
  #lastType: unknown = "";
  #count: number;

  /** `given`: the parts that the item began with. */
  constructor(given: unknown) {
    const parts: readonly unknown[] = Array.isArray(given) ? given : [];
    for (const at of parts.keys()) this.#numbered.set(at, at);
    this.#parts = parts.map((part) => ({ given: fieldsOf(part), pieces: [] }));
    this.#count = parts.length;
    for (const [at, { given: part }] of this.#parts.entries()) {
      this.#begunTypes.add(part["type"]);
      this.#noteSent(at, part["type"], textIn(part));
      // A part with text may be complete.
      if (pieceOf(part["type"]) !== undefined && textIn(part) === "") this.#open.add(at);
    }
  }

  /** Null if it had already begun. */
  begin(wireIndex: unknown, part: Fields): number | null {
    if (wireIndex !== undefined && this.#numbered.has(wireIndex)) return null;
    const at = this.#count++;
    this.#lastType = part["type"];
    this.#begunTypes.add(part["type"]);
    this.#numbered.set(wireIndex, at);
    this.#open.add(at);
    this.#parts[at] = { given: part, pieces: [] };
    this.#noteSent(at, part["type"], textIn(part));
    return at;
  }

  /** A part that the server has not announced. If it has announced another one of that type, it may mean that one. */
  beginUnannounced(wireIndex: unknown, empty: Fields): number {
    if (this.#begunTypes.has(empty["type"])) this.#isRenumbered = true;
    return this.begin(wireIndex, empty) ?? 0;
  }

  /** Null if the part has not begun. Without an index it is the last part, if the type fits. */
  of(wireIndex: unknown, type: string): number | null {
    if (wireIndex !== undefined) return this.#numbered.get(wireIndex) ?? null;
    return this.#lastType === type ? this.#count - 1 : null;
  }

  write(at: number, type: string, piece: string): void {
    this.#parts[at]?.pieces.push(piece);
    this.#noteSent(at, type, piece);
  }

  /**
   * What a part has at its end beyond the text sent, which counts as sent from now on; empty if it does not continue
   * that text. Some servers use a new index for every event: then the text may have been sent as that of other parts,
   * and nothing is sent twice. Until a server was seen to do so, two parts may have the same text, and may alternate.
   */
  takeUnsent(at: number, whole: Fields): string {
    const { type } = whole;
    const said = textIn(whole);
    const unsent = this.#isRenumbered ? this.#unsentAnywhere(at, type, said) : this.#unsentIn(at, type, said);
    this.#noteSent(at, type, unsent);
    return unsent;
  }

  #unsentIn(at: number, type: unknown, said: string): string {
    return this.#sentIn(at).restOf(said) ?? this.#sentAs(type).restOf(said) ?? "";
  }

  #unsentAnywhere(at: number, type: unknown, said: string): string {
    const sent = this.#sentAs(type);
    if (sent.endWith(said)) return "";
    const own = this.#lastSent.get(type) === at ? this.#sentIn(at) : undefined;
    return sent.restOf(said) ?? own?.restOf(said) ?? "";
  }

  /** The types of which all text in `wholes` has been sent, for whatever parts. */
  typesSent(wholes: readonly Fields[]): ReadonlySet<unknown> {
    const said = new Map<unknown, string>();
    for (const whole of wholes) said.set(whole["type"], (said.get(whole["type"]) ?? "") + textIn(whole));
    return new Set([...said].flatMap(([type, text]) => (this.#sentAs(type).endWith(text) ? [type] : [])));
  }

  /**
   * The parts of a finished item, with their indexes, that have not begun. Parts are left out if text of their type was
   * sent that the parts before them do not contain: it may be theirs, under other indexes.
   */
  unbegun(wholes: readonly Fields[]): readonly (readonly [number, Fields])[] {
    const before = new Map<unknown, string>();
    for (const whole of wholes.slice(0, this.#count)) {
      before.set(whole["type"], (before.get(whole["type"]) ?? "") + textIn(whole));
    }
    const rest = [...wholes.entries()].slice(this.#count);
    const types = new Set(rest.map(([, { type }]) => type));
    const unsent = new Set(
      [...types].filter((type) => this.#sentAs(type).restOf(before.get(type) ?? "") === ""),
    );
    return rest.filter(([, { type }]) => unsent.has(type));
  }

  /** The full text of a part, from a server that sends it at the end, perhaps only there. */
  rewrite(at: number, whole: string): void {
    const { given } = this.#parts[at] ?? {};
    if (given === undefined) return;
    this.#parts[at] = { given: { ...given, [textFieldOf(given)]: whole }, pieces: [] };
  }

  end(at: number, part: Fields): void {
    this.#open.delete(at);
    this.#parts[at] = { given: part, pieces: [] };
  }

  /** The parts that have not ended. */
  get open(): Iterable<number> {
    return this.#open;
  }

  /** All parts with the text sent for them. */
  whole(): readonly Fields[] {
    return this.#parts.map(({ given, pieces }) => {
      const field = textFieldOf(given);
      return pieces.length === 0 ? given : { ...given, [field]: `${given[field] ?? ""}${pieces.join("")}` };
    });
  }

  #noteSent(at: number, type: unknown, text: string): void {
    if (text === "") return;
    this.#sentAs(type).push(text);
    this.#sentIn(at).push(text);
    this.#lastSent.set(type, at);
  }

  #sentAs(type: unknown): SentText {
    return this.#sentByType.getOrInsertComputed(type, () => new SentText());
  }

  #sentIn(at: number): SentText {
    return this.#sentByPart.getOrInsertComputed(at, () => new SentText());
  }
}

function textIn(part: Fields): string {
  return textOf(part[textFieldOf(part)]);
}

export function textFieldOf({ type }: Fields): "refusal" | "text" {
  return type === "refusal" ? "refusal" : "text";
}
