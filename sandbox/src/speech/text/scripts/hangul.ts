const FIRST_SYLLABLE = 0xac00;
const VOWELS_PER_LEAD = 21;
const TAILS_PER_VOWEL = 28;
const LEADS = "g kk n d tt r m b pp s ss _ j jj ch k t p h".split(" ");
const VOWELS = "ah eh yah yeh uh eh yuh yeh oh wah weh weh yoh oo wo weh wee yoo eu ui ee".split(" ");
const TAILS = "_ k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ");

/** A Korean syllable's code point encodes its lead, vowel and tail. */
export function sayHangul(word: string): string {
  return [...word].map(saySyllable).join("");
}

function saySyllable(syllable: string): string {
  const index = (syllable.codePointAt(0) ?? 0) - FIRST_SYLLABLE;
  if (index < 0 || index >= LEADS.length * VOWELS_PER_LEAD * TAILS_PER_VOWEL) return "";
  const tail = TAILS[index % TAILS_PER_VOWEL] ?? "";
  const rest = Math.floor(index / TAILS_PER_VOWEL);
  const vowel = VOWELS[rest % VOWELS_PER_LEAD] ?? "";
  const lead = LEADS[Math.floor(rest / VOWELS_PER_LEAD)] ?? "";
  // Before a consonant, the h that marks an open vowel would be pronounced.
  const core = tail === "_" ? vowel : vowel.replace(/h$/, "");
  return `${lead}${core}${tail}`.replaceAll("_", "");
}
