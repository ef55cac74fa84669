const TITLES: ReadonlyMap<string, string> = new Map([
  ["Dr", "doctor"],
  ["Mr", "mister"],
  ["Mrs", "missus"],
  ["Ms", "miz"],
  ["Prof", "professor"],
  ["Sen", "senator"],
  ["Gov", "governor"],
  ["Gen", "general"],
  ["Capt", "captain"],
  ["Lt", "lieutenant"],
  ["Sgt", "sergeant"],
  ["Rev", "reverend"],
  ["Jr", "junior"],
  ["Sr", "senior"],
  ["St", "saint"],
  ["Ave", "avenue"],
  ["Blvd", "boulevard"],
  ["Mt", "mount"],
  ["Inc", "incorporated"],
  ["Ltd", "limited"],
  ["Corp", "corporation"],
  ["Co", "company"],
  ["Dept", "department"],
  ["Fig", "figure"],
  ["No", "number"],
  ["Nr", "number"],
  ["Vol", "volume"],
  ["Ch", "chapter"],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ["e.g", "for example"],
  ["i.e", "that is"],
  ["etc", "et cetera"],
  ["vs", "versus"],
  ["approx", "approximately"],
  ["est", "established"],
  ["incl", "including"],
  ["max", "maximum"],
  ["min", "minimum"],
  ["avg", "average"],
  ["tel", "telephone"],
  ["ext", "extension"],
  ["p.s", "P S"],
  ["a.k.a", "also known as"],
  ["pp", "pages"],
]);

const TITLE = new RegExp(`\\b(${[...TITLES.keys()].join("|")})\\. (?=[A-Z0-9])`, "g");
const STREET = /(\b[A-Z][a-z]{1,40} )(St|Dr)\.?(?=,| [A-Z0-9]{2}|$)/g;
const WORD = new RegExp(`\\b(${[...WORDS.keys()].join("|").replaceAll(".", "\\.")})\\.(?!\\w)`, "gi");
const BARE_WORD = /\b(etc|vs|e\.g|i\.e|aka)\b/gi;
const ROMAN_PLACES =
  /\b([Cc]hapter|[Pp]art|[Vv]olume|[Aa]ct|[Ss]cene|[Ss]ection|[Pp]hase|World War|Type) ([IVX]{1,6})\b/g;
const RULERS =
  /\b(Henry|Louis|Elizabeth|Charles|George|William|James|Edward|Richard|Pope [A-Z][a-z]{1,20}) ([IVX]{1,6})\b/g;
const ROMAN = /^(X{0,3})(IX|IV|V?I{0,3})$/;

/** Runs before numbers are read (`No. 5`) and before sentences are split at their dots. */
export function sayAbbreviations(text: string): string {
  return text
    .replace(STREET, (_all, name, short) => `${name}${short === "St" ? "street" : "drive"}`)
    .replace(TITLE, (_all, short) => `${TITLES.get(short) ?? short} `)
    .replace(WORD, (all, short: string, offset: number) => {
      const ends = offset + all.length >= text.length;
      return `${WORDS.get(short.toLowerCase()) ?? short}${ends ? "." : ""}`;
    })
    .replace(BARE_WORD, (short) => WORDS.get(short.toLowerCase()) ?? "also known as")
    .replace(ROMAN_PLACES, (all, word, roman) => {
      const value = romanValue(roman);
      return value === undefined ? all : `${word} ${value}`;
    })
    .replace(RULERS, (all, name, roman) => {
      const value = romanValue(roman);
      return value === undefined ? all : `${name} the ${value}th`;
    })
    .replace(/\bw\/o\b/g, "without")
    .replace(/\bw\/ /g, "with ");
}

function romanValue(roman: string): number | undefined {
  const match = ROMAN.exec(roman);
  if (match === null || roman === "") return undefined;
  const ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"].indexOf(match[2] ?? "");
  return (match[1] ?? "").length * 10 + ones;
}
