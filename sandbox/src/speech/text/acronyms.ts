/** Capitals that are pronounced as a word, or that are one. All others of two to five capitals are spelled. */
const SAID_AS_WORDS = new Set(
  "NASA NATO UNESCO UNICEF LASER RADAR SCUBA OPEC FIFA NAFTA ASAP AIDS GIF JPEG RAM ROM SIM PIN SWAT CAPTCHA COVID LEGO IKEA VISA OK NO YES AND THE FOR YOU ARE NOT BUT ALL NEW NOW HOW WHO WHY OUR OUT CAN HAS HAD WAS HIS HER ONE TWO TOP BIG END DAY MAY STOP WARNING NOTE FREE SALE OPEN HELLO THIS THAT WITH FROM HAVE WILL YOUR WHEN WHAT MORE LOVE HELP IN ON AT TO OF IS IT BE WE HE SO GO DO UP BY AN AS IF OR MY ME US".split(
    " ",
  ),
);
const LETTERS_BEFORE_LOWERCASE = /([a-z])([A-Z])/g;
/** Pronounced in a special way, whatever their case. */
const OWN_WAYS: readonly (readonly [RegExp, string])[] = [
  [/\bSQL\b/g, "sequel"],
  [/\bJSON\b/g, "jason"],
  [/\bAIs\b/g, "A I's"],
  [/\bTypeScript\b/g, "type script"],
  [/\bJavaScript\b/g, "java script"],
  [/\bGitHub\b/g, "git hub"],
  [/\bOpenAI\b/g, "open A I"],
  [/\bmacOS\b/g, "mac O S"],
  [/\biOS\b/g, "eye O S"],
  [/\bWi-?Fi\b/g, "why fye"],
  [/\bemoji\b/gi, "emodgee"],
];

/** A text in capitals is read, not spelled. */
function lowerShouting(sentence: string): string {
  const words = sentence.match(/[A-Za-z]{2,}/g) ?? [];
  const loud = words.filter((word) => word === word.toUpperCase());
  return words.length > 3 && loud.length > words.length * 0.7 ? sentence.toLowerCase() : sentence;
}

export function sayAcronyms(text: string): string {
  let said = text.replace(/[^.!?\n]+/g, lowerShouting);
  for (const [pattern, words] of OWN_WAYS) said = said.replace(pattern, words);
  return said
    .replace(/\b([A-Z]{2,5})(s?)\b/g, (all, letters: string, plural: string) => {
      if (SAID_AS_WORDS.has(letters)) return all.toLowerCase();
      return `${[...letters].join(" ")}${plural === "" ? "" : "'s"}`;
    })
    .replace(/\b(?:[A-Z]\.){2,6}/g, (initials) => `${initials.replaceAll(".", " ").trim()} `)
    .replace(/\b([A-Z])\.(?= [A-Z])/g, "$1")
    .replace(LETTERS_BEFORE_LOWERCASE, "$1 $2")
    .replaceAll("_", " ");
}
