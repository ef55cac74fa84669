import { describe, expect, test } from "bun:test";
import { answerListing } from "./listing.ts";

const itemsIn = (answer: string | null) =>
  (answer ?? "")
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^\d+\. /, ""));

describe("a list", () => {
  test.each<[string, string]>([
    ["List three planets", "Mercury, Venus, Earth"],
    ["Hi, list 3 fruits please", "apple, banana, orange"],
    ["Can you list the planets?", "Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus, Neptune"],
    ["Give me a list of 2 programming languages", "TypeScript, Python"],
    ["List the first 4 prime numbers", "2, 3, 5, 7"],
    ["Name the months with 30 days", "April, June, September, November"],
    ["List the months with 30 days", "April, June, September, November"],
    ["Name two days of the weekend", "Saturday, Sunday"],
    ["Name the weekdays", "Monday, Tuesday, Wednesday, Thursday, Friday"],
    ["Name a color", "red"],
    ["Name one fruit", "apple"],
    ["What are the days of the week?", "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"],
    ["List the seasons", "spring, summer, autumn, winter"],
    ["List the continents", "Africa, Antarctica, Asia, Australia, Europe, North America, South America"],
    ["List the numbers 1 to 5", "1, 2, 3, 4, 5"],
    ["List numbers from 3 to 5", "3, 4, 5"],
    ["List 2 fruits and 3 vegetables", "apple, banana, carrot, potato, onion"],
  ])("of known items has them for %j", (prompt, items) => {
    expect(itemsIn(answerListing(prompt)).join(", ")).toBe(items);
  });

  test.each<[string, number]>([
    ["List five countries in Africa", 5],
    ["List 5 European capitals", 5],
    ["Name 3 cities in Japan", 3],
    ["Name four animals that start with B", 4],
    ["Name five fruits that are red", 5],
    ["List 4 primes greater than 50", 4],
    ["List five spoken languages", 5],
    ["Suggest a name for my cat", 1],
    ["List the countries of South America", 5],
    ["Give me 4 ideas for a party", 4],
    ["Give me three good reasons", 3],
    ["Tell me 2 jokes", 2],
    ["List twenty-five cars", 25],
    ["List 200 cars", 50],
  ])("with a condition, or of unknown items, has placeholders: %j", (prompt, count) => {
    const items = itemsIn(answerListing(prompt));
    expect(items).toHaveLength(count);
    for (const item of items) expect(item).toContain("placeholder");
  });

  test("says what it is about, and if it has fewer items than were asked for", () => {
    const headOf = (prompt: string) => answerListing(prompt)?.split("\n")[0];
    expect(headOf("Give me 5 ideas for: a blog about cats")).toBe("A list from the sandbox, ideas:");
    expect(headOf("List 200 cars")).toBe("A list from the sandbox, cars (50 at most):");
    expect(headOf("List 50 cars")).toBe("A list from the sandbox, cars:");
  });

  test.each([
    "Tell me what 2 + 2 is",
    "Don't search the web, just tell me what 3*3 is.",
    "Tell me what 5 means",
    "tell me a story with 3 pigs",
    "Tell me how 3 people can share 10 apples",
    "Tell me about the 3 laws of robotics",
    "Give me 2 minutes",
    "Give me 10",
    "List 3",
    "Name this function",
    "My name is Bob",
    "Name the largest planet",
    "Name the capital of France",
    "What are the days of our lives?",
    "What are monads?",
    "Now list three more",
    "List 0 things",
    "List zero cars",
    "Write a SQL query for the top 10 customers by revenue",
    "Write a Python function that will list 5 files",
  ])("is not requested by %j", (prompt) => {
    expect(answerListing(prompt)).toBeNull();
  });
});
