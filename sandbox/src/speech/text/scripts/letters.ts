/** Scripts that are read letter by letter, in spellings that an English voice pronounces about right. */

export function tableOf(pairs: string): ReadonlyMap<string, string> {
  return new Map(
    pairs.split(" ").map((pair) => {
      const [letter = "", sound = ""] = pair.split("=");
      return [letter, sound];
    }),
  );
}

const GREEK = tableOf(
  "αι=e ει=ee οι=ee υι=ee ου=oo αυ=av ευ=ev γγ=ng γκ=g μπ=b ντ=d τσ=ts τζ=dz α=a β=v γ=g δ=th ε=e ζ=z η=ee θ=th ι=ee κ=k λ=l μ=m ν=n ξ=ks ο=o π=p ρ=r σ=s ς=s τ=t υ=ee φ=f χ=h ψ=ps ω=o",
);

const CYRILLIC = tableOf(
  "а=a б=b в=v г=g д=d е=ye ё=yo ж=zh з=z и=ee й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=oo ф=f х=h ц=ts ч=ch ш=sh щ=sh ъ= ы=i ь= э=e ю=yoo я=ya і=ee ї=yee є=ye ґ=g ђ=j ј=y љ=ly њ=ny ћ=ch џ=j ў=w",
);

const HEBREW = tableOf(
  "א=a ב=v ג=g ד=d ה=h ו=o ז=z ח=h ט=t י=y כ=k ך=kh ל=l מ=m ם=m נ=n ן=n ס=s ע=a פ=p ף=f צ=ts ץ=ts ק=k ר=r ש=sh ת=t",
);

const ARABIC = tableOf(
  "ا=a أ=a إ=i آ=aa ب=b ت=t ث=th ج=j ح=h خ=kh د=d ذ=dh ر=r ز=z س=s ش=sh ص=s ض=d ط=t ظ=z ع=a غ=gh ف=f ق=k ك=k ل=l م=m ن=n ه=h و=oo ي=ee ى=a ة=a ء= ئ=y ؤ=w پ=p چ=ch ژ=zh گ=g ک=k ی=ee",
);

function byTable(table: ReadonlyMap<string, string>, word: string): string {
  let said = "";
  for (let at = 0; at < word.length; at++) {
    const pair = table.get(word.slice(at, at + 2));
    if (pair !== undefined) at++;
    said += pair ?? table.get(word[at] ?? "") ?? "";
  }
  return said;
}

/** This letter has its glide only after a vowel or at the start. */
function sayCyrillic(word: string): string {
  return byTable(CYRILLIC, word).replace(/([bvgdzklmnprstfhc]h?)ye/g, "$1e");
}

/** For scripts that omit short vowels: separates consecutive consonants, which could not be pronounced otherwise. */
function withVowels(said: string): string {
  return said.replace(/([bdfgjklmnprtvz]|[sktgd]h|s)(?=[bdfgjklmnprtvz]|[sktgd]h)/g, "$1a");
}

function unmarked(word: string): string {
  return word
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC");
}

export const sayGreekWord = (word: string): string => byTable(GREEK, unmarked(word.toLowerCase()));
/** Marks are kept: here a breve or two dots make a different letter. */
export const sayCyrillicWord = (word: string): string => sayCyrillic(word.toLowerCase());
export const sayHebrewWord = (word: string): string => withVowels(byTable(HEBREW, unmarked(word)));
export const sayArabicWord = (word: string): string =>
  withVowels(byTable(ARABIC, word.replace(/[\u064b-\u065f\u0640]/g, "")));
