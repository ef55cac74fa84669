import { cardinalWords, digitWords, ordinalWords, yearWords } from "./number-words.ts";

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const MONTH_NAMES =
  "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?";

/** Dates and times of day, in American order. */
export function sayDates(text: string): string {
  return text
    .replace(/\b(\d{4})-(\d\d)-(\d\d)(?:T(?=\d\d:\d\d))?(?![\d-])/g, (all, year, month, day) =>
      dateWords(all, { year, month, day }),
    )
    .replace(/\b(\d\d?)[/.](\d\d?)[/.](\d{4})\b/g, (all, first, second, year) =>
      Number(first) > 12 || all.includes(".")
        ? dateWords(all, { year, month: second, day: first })
        : dateWords(all, { year, month: first, day: second }),
    )
    .replace(
      new RegExp(`\\b(${MONTH_NAMES})\\.? (\\d\\d?)(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b(?![:.]\\d)`, "g"),
      (all, month, day, year) => dateWords(all, { year, month: monthNumber(month), day }),
    )
    .replace(
      new RegExp(`\\b(\\d\\d?)(?:st|nd|rd|th|\\.)? (${MONTH_NAMES})\\b\\.?(?:,? (\\d{4})\\b)?`, "g"),
      (all, day, month, year) => dateWords(all, { year, month: monthNumber(month), day }),
    )
    .replace(
      /\b(\d\d?):([0-5]\d)(?::([0-5]\d))?(?: ?([apAP])(?:[mM]\b|\.[mM]\b\.(?! +[A-Z]|\s*$)|\.[mM]\b))?(?:Z\b)?/g,
      timeWords,
    )
    .replace(
      /\b(1[0-2]|[1-9]) ?([apAP])(?:[mM]\b|\.[mM]\b\.(?! +[A-Z]|\s*$)|\.[mM]\b)/g,
      (_all, hour, half) => `${cardinalWords(hour)} ${half.toLowerCase()} m`,
    )
    .replace(/\b(1[1-9]|20)(\d)0s\b/g, (_all, century, tens) => decadeWords(`${century}${tens}0`))
    .replace(
      /\b(in|since|from|until|by|of|year|before|after|between|to|and|©) (1[1-9]\d\d|20\d\d)\b(?![,.]\d)/gi,
      (_all, word, year) => `${word} ${yearWords(year)}`,
    );
}

function dateWords(
  written: string,
  { year, month, day }: { year: string | undefined; month: string; day: string },
): string {
  const name = MONTHS[Number(month) - 1];
  if (name === undefined || Number(day) < 1 || Number(day) > 31) return written;
  const spoken = `${name} ${ordinalWords(String(Number(day)))}`;
  return year === undefined ? spoken : `${spoken}, ${yearWords(year)}, `;
}

function monthNumber(name: string): string {
  return String(MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1);
}

function timeWords(all: string, hour: string, minute: string, second?: string, half?: string): string {
  if (Number(hour) > 24) return all;
  const minutes =
    minute === "00"
      ? ""
      : minute.startsWith("0")
        ? `oh ${cardinalWords(minute.slice(1))}`
        : cardinalWords(minute);
  const seconds = second === undefined ? "" : `and ${cardinalWords(String(Number(second)))} seconds`;
  const isOnTheHour = minutes === "" && half === undefined && second === undefined;
  const ending =
    half === undefined
      ? isOnTheHour
        ? Number(hour) > 12 || Number(hour) === 0
          ? "hundred hours"
          : "o'clock"
        : ""
      : `${half.toLowerCase()} m`;
  return [cardinalWords(String(Number(hour))), minutes, seconds, ending]
    .filter((part) => part !== "")
    .join(" ");
}

function decadeWords(year: string): string {
  const words = yearWords(year);
  return words.endsWith("y") ? `${words.slice(0, -1)}ies` : `${words}s`;
}

/** A telephone number is read digit by digit, in its written groups. */
export function sayTelephones(text: string): string {
  return text.replace(
    /(?<![\w.,])(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}\b/g,
    (number) =>
      number
        .split(/[^\d+]+/)
        .filter((group) => group !== "")
        .map((group) => (group.startsWith("+") ? `plus ${digitWords(group.slice(1))}` : digitWords(group)))
        .join(", "),
  );
}
