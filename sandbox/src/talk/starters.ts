/**
 * What our own console, documentation and first steps suggest to ask, and no rule understands: the first words that
 * somebody sees must not look like a failure. Nothing else belongs here.
 */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  [
    "say hello in three languages",
    "The sandbox says hello three times:\n\n- English: Hello!\n- French: Bonjour !\n- Japanese: こんにちは！",
  ],
  [
    "explain credits to a child",
    "The sandbox would put it like this. Credits are like the tokens of a funfair: you get a handful, and every ride costs some of them. Before a ride you hand over as many as it may cost, and afterwards you get back what it did not use. A short ride costs little, a long one more. When your pocket is empty, the rides wait until you have new ones.",
  ],
  [
    "write a haiku about the sea",
    "A sandbox haiku:\n\nWaves count out the sand,\none grain given, one taken;\nthe tide keeps the books.",
  ],
]);

const LONGEST = 80;

/** Null if the text is none of these. */
export function answerStarter(text: string): string | null {
  if (text.length > LONGEST) return null;
  return (
    ANSWERS.get(
      text
        .trim()
        .toLowerCase()
        .replace(/[.!?]$/, ""),
    ) ?? null
  );
}
