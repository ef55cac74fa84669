import { sayDevanagari } from "./scripts/devanagari.ts";
import { sayHan } from "./scripts/han.ts";
import { sayHangul } from "./scripts/hangul.ts";
import { sayKana } from "./scripts/kana.ts";
import { sayArabicWord, sayCyrillicWord, sayGreekWord, sayHebrewWord, tableOf } from "./scripts/letters.ts";

const READERS: readonly (readonly [RegExp, (word: string) => string])[] = [
  [/\p{Script=Greek}+/gu, sayGreekWord],
  [/\p{Script=Cyrillic}+/gu, sayCyrillicWord],
  [/[\p{Script=Hebrew}]+/gu, sayHebrewWord],
  [/[\p{Script=Arabic}\u064b-\u065f]+/gu, sayArabicWord],
  [/[\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu, (word) => `${sayKana(word)} `],
  [/\p{Script=Hangul}+/gu, sayHangul],
  [/[\p{Script=Devanagari}]+/gu, sayDevanagari],
];

/** Scripts that we cannot read: each run of text is announced once, since silence would seem like a fault. */
const UNREAD_SCRIPTS = [
  ["Thai", "Thai"],
  ["Bengali", "Bengali"],
  ["Tamil", "Tamil"],
  ["Telugu", "Telugu"],
  ["Gujarati", "Gujarati"],
  ["Gurmukhi", "Punjabi"],
  ["Kannada", "Kannada"],
  ["Malayalam", "Malayalam"],
  ["Sinhala", "Sinhala"],
  ["Lao", "Lao"],
  ["Khmer", "Khmer"],
  ["Myanmar", "Burmese"],
  ["Tibetan", "Tibetan"],
  ["Georgian", "Georgian"],
  ["Armenian", "Armenian"],
  ["Ethiopic", "Amharic"],
] as const;
const UNREAD: readonly (readonly [RegExp, string])[] = UNREAD_SCRIPTS.map(([script, language]) => [
  new RegExp(
    `\\p{Script=${script}}(?:[\\p{Script=${script}}\\p{M}\\s\\d.,!?]{0,5000}\\p{Script=${script}}\\p{M}*)?`,
    "gu",
  ),
  `, some words in ${language}, `,
]);

const UNREAD_SIGNS = new RegExp(
  `[\\p{Script=Han}々${UNREAD_SCRIPTS.map(([script]) => `\\p{Script=${script}}`).join("")}]\\p{M}*`,
  "gu",
);

/** For captions, which need no announcement. Chinese must be read first, since Japanese shares its characters. */
function withoutUnread(text: string): string {
  return text.replace(UNREAD_SIGNS, " ");
}

const LATIN = tableOf(
  "ß=ss æ=ae Æ=Ae œ=oe Œ=Oe ø=o Ø=O ł=l Ł=L đ=d Đ=D ð=th Ð=Th þ=th Þ=Th ı=i ŋ=ng ħ=h ŧ=t ĸ=k ſ=s ƒ=f ə=e ʼ='",
);

const PUNCTUATION: readonly (readonly [RegExp, string])[] = [
  [/[。｡]/g, ". "],
  [/[、，､؍،]/g, ", "],
  [/！/g, "! "],
  [/[？؟]/g, "? "],
  [/；|؛/g, "; "],
  [/：/g, ": "],
  [/[।॥]/g, ". "],
  [/[¡¿・]/g, " "],
];

/** What remains after this is ASCII, or cannot be spoken. */
export function romanize(text: string): string {
  let said = text;
  if (/\p{Script=Greek}{3}/u.test(said)) said = said.replace(/;/g, "?");
  for (const [pattern, mark] of PUNCTUATION) said = said.replace(pattern, mark);
  said = said.normalize("NFKC");
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(said);
  for (const [pattern, read] of READERS) said = said.replace(pattern, (word) => read(word));
  said = said.replace(/[\p{Script=Han}々]+/gu, (word) => (isJapanese ? " kanji " : ` ${sayHan(word)} `));
  for (const [pattern, notice] of UNREAD) said = said.replace(pattern, notice);
  return said
    .replace(/[\u00c6-\u02bc]/g, (letter) => LATIN.get(letter) ?? letter)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "");
}
