import { countOf } from "./number-word.ts";

const ASKED =
  /\b(?:list|name|give me|give us|suggest|top|brainstorm|tell me)\b[^\n.?!]{0,40}?\b(\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+([^\n.?!:]{2,60})/i;
const ASKED_WITHOUT_NUMBER =
  /^(?:please )?(?:list|name|suggest|brainstorm)\s+(?:me |some |all |of |the |a few )*([^\n.?!:]{2,60})/i;
/** What is counted here is the length of one text, not the number of its items. */
const MEASURE = /^(?:words?|sentences?|paragraphs?|lines?|characters?|tokens?|pages?|minutes?)\b/i;
const DEFAULT_ITEMS = 5;
const MAX_ITEMS = 50;

/** By the first word that the topic contains; everything else gets honest placeholders. */
const KNOWN: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /colou?rs?/i,
    ["red", "blue", "green", "yellow", "orange", "purple", "brown", "pink", "black", "white", "grey"],
  ],
  [/planets?/i, ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]],
  [/weekdays?|days/i, ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]],
  [
    /months?/i,
    "January February March April May June July August September October November December".split(" "),
  ],
  [
    /fruits?/i,
    ["apple", "banana", "orange", "pear", "grape", "mango", "cherry", "plum", "kiwi", "peach", "lemon"],
  ],
  [
    /animals?/i,
    ["cat", "dog", "horse", "elephant", "whale", "eagle", "fox", "otter", "bear", "owl", "rabbit"],
  ],
  [
    /capitals?|cit(?:y|ies)/i,
    ["Paris", "Tokyo", "Berlin", "Madrid", "Rome", "Cairo", "Ottawa", "Lima", "Oslo"],
  ],
  [/countr(?:y|ies)/i, ["France", "Japan", "Germany", "Spain", "Italy", "Egypt", "Canada", "Peru", "Norway"]],
  [
    /(?:programming )?languages?/i,
    ["TypeScript", "Python", "Rust", "Go", "Java", "C", "Ruby", "Haskell", "SQL"],
  ],
  [/primes?/i, ["2", "3", "5", "7", "11", "13", "17", "19", "23", "29", "31", "37", "41", "43", "47"]],
];

/** A numbered list of as many items as were asked for; null when no list is asked for. */
export function answerListing(text: string): string | null {
  const counted = ASKED.exec(text);
  const topic = (counted?.[2] ?? ASKED_WITHOUT_NUMBER.exec(text)?.[1])?.trim();
  if (topic === undefined || MEASURE.test(topic)) return null;
  const known = KNOWN.find(([pattern]) => pattern.test(topic))?.[1];
  const count = countOf(counted?.[1] ?? "", MAX_ITEMS) ?? Math.min(known?.length ?? DEFAULT_ITEMS, 12);
  const items = Array.from({ length: count }, (_, at) => known?.[at] ?? placeholder(at));
  return `A list from the sandbox, ${topic}:\n${items.map((item, at) => `${at + 1}. ${item}`).join("\n")}`;
}

const ANGLES = [
  "a simple one",
  "a bold one",
  "a cheap one",
  "a classic one",
  "an unusual one",
  "a quick one",
];

function placeholder(at: number): string {
  return `${ANGLES[at % ANGLES.length]} (placeholder ${at + 1})`;
}
