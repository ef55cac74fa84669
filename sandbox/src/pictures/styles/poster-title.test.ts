import { expect, test } from "bun:test";
import { posterTitle } from "./poster-title.ts";

test.each([
  ['A poster with the word "SALE" in big letters', "SALE"],
  ["A poster that says “50% off, today!”, with a cat", "50% OFF, TODAY!"],
  ["Ein Plakat mit „Grüße aus Wien“ und einem Schloss", "GRÜSSE AUS WIEN"],
  ["une affiche « Bonne année »", "BONNE ANNÉE"],
  ["a poster of the dog's house and the cat's 'Open Day'", "OPEN DAY"],
  ["a travel poster of the dog's house in the cat's town", "DOG'S HOUSE CAT'S TOWN"],
  ['a poster with "" of Rome', "ROME"],
  [
    'a poster: "all the words that stand in quotes are far too many for it"',
    "ALL THE WORDS THAT STAND IN QUOTES ARE",
  ],
  ["a poster", ""],
])("the title of %j is %j", (prompt, title) => {
  expect(posterTitle(prompt)).toBe(title);
});
