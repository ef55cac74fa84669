import type { Rgb } from "../colour.ts";
import type { Extra, Hour, Mood, Season, Setting, Style, Weather } from "./brief.ts";

/** One thing that a word says about a picture. A hint names something in a place, not the place itself. */
export type Meaning =
  | { readonly kind: "setting"; readonly value: Setting; readonly isHint?: true }
  | { readonly kind: "hour"; readonly value: Hour }
  | { readonly kind: "weather"; readonly value: Weather }
  | { readonly kind: "season"; readonly value: Season }
  | { readonly kind: "mood"; readonly value: Mood }
  | { readonly kind: "style"; readonly value: Style }
  | { readonly kind: "extra"; readonly value: Extra }
  | { readonly kind: "colour"; readonly value: Rgb }
  /** `isVague`: "many" is not a number, so the picture may still scatter more of them. */
  | { readonly kind: "count"; readonly value: number; readonly isVague?: true }
  | { readonly kind: "subject"; readonly value: string };

export type Vocabulary = ReadonlyMap<string, readonly Meaning[]>;

type Lists<Value extends string> = Readonly<Partial<Record<Value, string>>>;

/** Converts `{ value: "word, another word" }` to words with their meanings. */
export function meaningsOf<Kind extends Exclude<Meaning["kind"], "colour" | "count">>(
  kind: Kind,
  lists: Lists<Extract<Meaning, { kind: Kind }>["value"]>,
): (readonly [string, Meaning])[] {
  return Object.entries<string | undefined>(lists).flatMap(([value, words = ""]) =>
    words.split(",").map((word) => [word.trim(), { kind, value } as Meaning] as const),
  );
}

export function vocabularyOf(pairs: readonly (readonly [string, Meaning])[]): Vocabulary {
  const vocabulary = new Map<string, Meaning[]>();
  for (const [word, meaning] of pairs) {
    const known = vocabulary.get(word);
    if (known === undefined) vocabulary.set(word, [meaning]);
    else known.push(meaning);
  }
  return vocabulary;
}
