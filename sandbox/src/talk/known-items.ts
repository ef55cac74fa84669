const MONTHS = "January February March April May June July August September October November December";
const CITIES = ["Paris", "Tokyo", "Berlin", "Madrid", "Rome", "Cairo", "Ottawa", "Lima", "Oslo"];

/** Patterns must match the whole topic: an extra word may be a condition, and the items would be wrong. */
const KNOWN: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /colou?rs?/,
    ["red", "blue", "green", "yellow", "orange", "purple", "brown", "pink", "black", "white", "grey"],
  ],
  [
    /planets?(?: (?:of|in) (?:the|our) solar system)?/,
    ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"],
  ],
  [
    /days?(?: (?:of|in) (?:the|a) week)?/,
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  ],
  [/weekdays?|week days?|work(?:ing)? ?days?/, ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]],
  [/days? of (?:the|a) weekend|weekend days?/, ["Saturday", "Sunday"]],
  [/months?(?: (?:of|in) (?:the|a) year)?/, MONTHS.split(" ")],
  [/months? (?:with|that have|of) (?:30|thirty) days/, ["April", "June", "September", "November"]],
  [/seasons?(?: (?:of|in) (?:the|a) year)?/, ["spring", "summer", "autumn", "winter"]],
  [
    /continents?(?: (?:of|in) the world| (?:of|on) earth)?/,
    ["Africa", "Antarctica", "Asia", "Australia", "Europe", "North America", "South America"],
  ],
  [
    /oceans?(?: (?:of|in) the world| (?:of|on) earth)?/,
    ["Arctic Ocean", "Atlantic Ocean", "Indian Ocean", "Pacific Ocean", "Southern Ocean"],
  ],
  [
    /fruits?/,
    ["apple", "banana", "orange", "pear", "grape", "mango", "cherry", "plum", "kiwi", "peach", "lemon"],
  ],
  [
    /vegetables?|veggies/,
    ["carrot", "potato", "onion", "cabbage", "spinach", "leek", "broccoli", "celery", "beetroot", "radish"],
  ],
  [
    /animals?/,
    ["cat", "dog", "horse", "elephant", "whale", "eagle", "fox", "otter", "bear", "owl", "rabbit"],
  ],
  [/(?:capitals?|(?:capital )?(?:city|cities))(?: (?:of|in) the world)?/, CITIES],
  [
    /(?:country|countries)(?: (?:of|in) the world)?/,
    ["France", "Japan", "Germany", "Spain", "Italy", "Egypt", "Canada", "Peru", "Norway"],
  ],
  [
    /(?:programming )?languages?/,
    ["TypeScript", "Python", "Rust", "Go", "Java", "C", "Ruby", "Haskell", "SQL"],
  ],
  [
    /primes?|prime numbers?/,
    ["2", "3", "5", "7", "11", "13", "17", "19", "23", "29", "31", "37", "41", "43", "47"],
  ],
];

const FILLERS =
  /\b(?:an?|all|any|common|different|distinct|names of|please|random|some|the|various|you know)\b/g;

const RANGE = /^(?:whole )?(?:numbers|integers) (?:from )?(\d{1,3}) (?:to|through|-) (\d{1,3})$/;

/** Undefined if the topic is unknown. */
export function knownItems(topic: string): readonly string[] | undefined {
  const plain = (words: string) => words.replace(/\s+/g, " ").trim();
  const asked = topic.toLowerCase();
  const whole = [plain(asked), plain(asked.replace(FILLERS, ""))];
  const [, first, last] = (RANGE.exec(plain(asked)) ?? []).map(Number);
  if (first !== undefined && last !== undefined && first <= last) {
    return Array.from({ length: last - first + 1 }, (_, at) => `${first + at}`);
  }
  return KNOWN.find(([pattern]) =>
    whole.some((words) => new RegExp(`^(?:${pattern.source})$`).test(words)),
  )?.[1];
}
