const CONSONANTS =
  "कk खkh गg घgh ङng चch छch जj झj ञny टt ठt डd ढd णn तt थth दd धdh नn पp फf बb भbh मm यy रr लl वv शsh षsh सs हh ळl";
const VOWELS = "अa आaa इi ईee उu ऊoo ऋri एay ऐai ओo औau";
const SIGNS = "ाaa िi ीee ुu ूoo ृri ेay ैai ोo ौau";

function tableOf(pairs: string): ReadonlyMap<string, string> {
  return new Map(pairs.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]));
}

const CONSONANT = tableOf(CONSONANTS);
const VOWEL = tableOf(VOWELS);
const SIGN = tableOf(SIGNS);
const MUTE = "्";

/** A consonant is followed by an a unless a sign says otherwise; at the end of a word Hindi drops it. */
export function sayDevanagari(word: string): string {
  const letters = [...word.normalize("NFC").replaceAll("़", "")];
  return letters
    .map((letter, at) => {
      const consonant = CONSONANT.get(letter);
      if (consonant === undefined) return VOWEL.get(letter) ?? SIGN.get(letter) ?? nasal(letter);
      const next = letters[at + 1];
      const isLast = at > 0 && next === undefined;
      return isLast || next === MUTE || SIGN.has(next ?? "") ? consonant : `${consonant}a`;
    })
    .join("");
}

function nasal(letter: string): string {
  return letter === "ं" || letter === "ँ" ? "n" : "";
}
