const ROWS =
  "あa いi うu えe おo かka きki くku けke こko さsa しshi すsu せse そso たta ちchi つtsu てte とto なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa ゐi ゑe をo んn がga ぎgi ぐgu げge ごgo ざza じji ずzu ぜze ぞzo だda ぢji づzu でde どdo ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo ぁa ぃi ぅu ぇe ぉo ゔvu";
const SOUNDS: ReadonlyMap<string, string> = new Map(
  ROWS.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const GLIDES: ReadonlyMap<string, string> = new Map([
  ["ゃ", "a"],
  ["ゅ", "u"],
  ["ょ", "o"],
]);
const KATAKANA_TO_HIRAGANA = 0x60;

/** Romaji, syllable by syllable; a small tsu doubles the next consonant, a bar lengthens the vowel. */
export function sayKana(word: string): string {
  let said = "";
  let doubles = false;
  for (const written of word) {
    const code = written.codePointAt(0) ?? 0;
    const kana =
      code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - KATAKANA_TO_HIRAGANA) : written;
    const glide = GLIDES.get(kana);
    if (kana === "っ") doubles = true;
    else if (glide !== undefined) said = withGlide(said, glide);
    else {
      const sound = SOUNDS.get(kana) ?? "";
      said += doubles ? sound.slice(0, 1) + sound : sound;
      doubles = false;
    }
  }
  return forEnglish(isTopic(word) ? said.replace(/ha$/, "wa") : said);
}

/** The particle after a word is written ha and pronounced wa. */
function isTopic(word: string): boolean {
  return word.length > 2 && word.endsWith("は");
}

function withGlide(said: string, glide: string): string {
  const stem = said.endsWith("i") ? said.slice(0, -1) : said;
  return /(?:sh|ch|j)$/.test(stem) ? stem + glide : `${stem}y${glide}`;
}

/** Spellings that an English voice pronounces with the right vowels. */
function forEnglish(romaji: string): string {
  return romaji
    .replace(/su(?=$|[ktp])/g, "ss")
    .replace(/ou|oo/g, "oh")
    .replace(/uu|u(?=$|[^aeiou])/g, "oo")
    .replace(/ei|ee|e(?=$)/g, "ay")
    .replace(/ii|i(?=$|[^aeiou])/g, "ee");
}
