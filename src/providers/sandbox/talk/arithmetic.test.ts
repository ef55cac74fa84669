import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { answerArithmetic } from "./arithmetic.ts";

describe("arithmetic", () => {
  test.each([
    ["2+2", "2 + 2 = 4"],
    ["What is 12 * 7?", "12 * 7 = 84"],
    ["what's 0.1 + 0.2", "0.1 + 0.2 = 0.3"],
    ["Compute (3 + 4) × 2 - 1.", "(3 + 4) * 2 - 1 = 13"],
    ["how much is 10 divided by 4?", "10 / 4 = 2.5"],
    ["What is 1/3?", "1 / 3 is about 0.3333333333"],
    ["What is 15% of 80?", "15% * 80 = 12"],
    ["2^3^2", "2 ^ 3 ^ 2 = 512"],
    ["what is -2^2", "- 2 ^ 2 = -4"],
    ["123456789 * 987654321", "= 121932631112635269"],
    ["1,000 + 1", "1000 + 1 = 1001"],
    ["What is 7 / 0?", "has no value"],
    ["9^999 * 2", "has no value"],
    ["-1/3 = ?", "is about -0.3333333333"],
    ["1,234,567.5 * 2", "1234567.5 * 2 = 2469135"],
    ["50/0.5", "50 / 0.5 = 100"],
    ["100 / 2.5", "100 / 2.5 = 40"],
    ["8÷2", "8 / 2 = 4"],
    ["What is 3x4?", "3 * 4 = 12"],
    ["What is 3 x4?", "3 * 4 = 12"],
    ["计算3+5", "3 + 5 = 8"],
    ["What is 3 * 12? Also, what is 11 + 49?", "3 * 12 = 36; 11 + 49 = 60."],
    ["What is 9 - 4? And what is 8 / 2?", "9 - 4 = 5; 8 / 2 = 4."],
    ["What is 9 * 4? It is for pages 8-12 of the book.", "arithmetic: 9 * 4 = 36."],
    ["What is 2 + 2, and again 2 + 2?", "arithmetic: 2 + 2 = 4."],
    ["What is 7 / 0 and 1 + 1?", "too large); 1 + 1 = 2."],
    ["x = 3 * 4", "3 * 4 = 12"],
    ["Can you add 12 and 30?", "12 + 30 = 42"],
    ["Add 5, 10, and 20", "5 + 10 + 20 = 35"],
    ["Add 3 to 4.5.", "4.5 + 3 = 7.5"],
    ["Subtract 5 from 20.", "20 - 5 = 15"],
    ["Multiply 6 by 9", "6 * 9 = 54"],
    ["Divide 81 by 9", "81 / 9 = 9"],
    ["What's the sum of 4, 8 and 15?", "4 + 8 + 15 = 27"],
    ["What is the product of 3 and 1,000?", "3 * 1000 = 3000"],
    ["What is the average of 10, 20 and 30?", "(10 + 20 + 30) / 3 = 20"],
    ["What is twelve times eleven?", "12 * 11 = 132"],
    ["What is twenty-five minus 5?", "25 - 5 = 20"],
    ["What is 5 plus five?", "5 + 5 = 10"],
    ["What's 2 to the power of 10?", "2 ^ 10 = 1024"],
    ["12 x 12", "12 * 12 = 144"],
    ["2**8", "2 ^ 8 = 256"],
    ["What is $5 + $3.50?", "5 + 3.50 = 8.5"],
    ["What is half of 90?", "0.5 * 90 = 45"],
    ["What is two thirds of 90?", "2 / 3 * 90 = 60"],
    ["What is 17 mod 5?", "17 mod 5 = 2"],
    ["-7 % 3", "- 7 mod 3 = -1"],
    ["5 mod 0", "has no value"],
    ["100 + 10%", "100 + 10% = 110"],
    ["what is 200 minus 15%", "200 - 15% = 170"],
    ["What is 5% + 3%?", "5% + 3% = 0.08"],
    ["What is 100 + 10% * 50?", "100 + 10% * 50 = 105"],
    ["What is 20% off 80 dollars?", "80 - 20% = 64"],
    ["Calculate this:\n45 - 18", "45 - 18 = 27"],
    ["Hi! How much is 7 squared?", "7 ^ 2 = 49"],
    ["What is the sum of 3 + 4?", "3 + 4 = 7"],
    ["What is 3 * (4 + 5)?", "3 * (4 + 5) = 27"],
    ["What is 3/4 of 100?", "3 / 4 * 100 = 75"],
    ["In short, what is 5+5?", "5 + 5 = 10"],
    ["sum up 10 + 20", "10 + 20 = 30"],
    ["Answer only with the number: 17*23", "17 * 23 = 391"],
    ["What is the difference between 3 and 10?", "10 - 3 = 7"],
    ["2+2=5, right?", "2 + 2 = 4"],
    ["What is 20 dollars plus 30 dollars?", "20 + 30 = 50"],
    ["what is 10 - 2 - 3", "10 - 2 - 3 = 5"],
    ["- 3 * 4\n- 5 * 6", "arithmetic: 3 * 4 = 12; 5 * 6 = 30."],
    ["Wie viel ist 3 plus 4?", "3 + 4 = 7"],
  ])("%s", (prompt, expected) => {
    expect(answerArithmetic(prompt)).toContain(expected);
  });

  test.each([
    "",
    "Hello",
    "My order of 2024-01-05 is late",
    "Pick 3-4 apples",
    "Meet me on 5/6/2024",
    "version 1.2.3",
    "I have 3 cats",
    "either/or",
    "(((((",
    "+ + +",
    "C++ and 7",
    "5 * ",
    "1,5 + 2",
    "12,34 + 1",
    "1.000,5 + 1",
    "1,0000 + 1",
    "1e3 + 1",
    "0x10 + 1",
    "What is 5km + 3km?",
    "What is v2 + 3?",
    "What is 1.2.3 + 1?",
    "What is sqrt(16) + 2?",
    "What is the square root of 16 + 2?",
    "What is log(100) + 1?",
    "What is log 100 + 1?",
    "What is abs(-5) + 1?",
    "What is f(2) + 1?",
    "What is f (2) + 1?",
    "What is f(x) + 2 * 3?",
    "What is x^2 + 2 when x = 3?",
    "What is y + 2 + 3?",
    "What is 3 + 4 * x?",
    "What is 3 + 4 - x?",
    "What is 3 + 4 * (x + 1)?",
    "What is 3 x + 4 * 2?",
    "What is 2x + 3 * 4?",
    "What is 3 * 12 km + 4?",
    "What is 3 * 12 square miles + 4?",
    "What is 3 * 2 + sqrt(16)?",
    "The meeting is 10-12. What should I bring?",
    "Use 2x4 wood for the frame",
    "I need a 2 x 4 plank",
    "Add 12 and 30 to the list",
    "Divide 81 apples by 9",
    "What do 5 of 10 people say?",
    "Try it three times",
    "What is half of 90 km + 3?",
    "$5 minus 50 cents",
    "What is $5 + €3?",
    "three hundred and five plus two",
    "three point five plus two",
    "the product of 3 and 4 plus 2",
    "sum of 3 and 4 times 2",
    "the sum of 3 * 4 and 5 * 6",
    "triple 5 plus 1",
    "√16 + 2",
    "1'000 + 1",
    "{5+3}*2",
    "10:30 + 2 hours",
    "divide 20 by 4 and add 3",
    "take 5 from 20, then add 10",
    "7 divided by 2 and then times 4",
    "I bought 3, then 4 + 5.",
    "What is the difference between 301 and 302 redirects?",
    "What is 24/7 support?",
    "What is 24/7?",
    "what is 9/11?",
    "What does 1-800 mean?",
    "What is ISO 9001-2015?",
    "My phone number is 555-123-4567, what's yours?",
    "Meet me at 10-11 tomorrow, what do you think?",
    "What is a 2x4?",
    "Explain the following code:\n```js\n2 + 3 * 4\n```",
    "Explain the following: 2 + 3 * 4",
    "Why is 0.1 + 0.2 not 0.3?",
    "What is 555-1234?",
    "I need 10-12 please",
  ])("sees no question in %j", (prompt) => {
    expect(answerArithmetic(prompt)).toBeNull();
  });

  test("agrees with the machine on sums of products of whole numbers", () => {
    const product = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 3 });
    const sum = fc.array(fc.tuple(fc.constantFrom("+", "-"), product), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), sum, (first, rest) => {
        const text = rest.reduce(
          (written, [sign, factors]) => `${written} ${sign} ${factors.join(" * ")}`,
          `${first}`,
        );
        const expected = rest.reduce((total, [sign, factors]) => {
          const value = factors.reduce((left, right) => left * right, 1);
          return sign === "+" ? total + value : total - value;
        }, first);
        expect(answerArithmetic(`What is ${text}?`)).toEndWith(` = ${expected}.`);
      }),
    );
  });

  test("hostile input ends quickly", () => {
    for (const text of [
      "(".repeat(20_000),
      "-".repeat(20_000),
      "9^".repeat(10_000),
      `${"9".repeat(19_000)}^9`,
      "1+1 a ".repeat(3000),
      "1+x ".repeat(5000),
    ]) {
      expect(fastestMs(() => answerArithmetic(`What is ${text}1?`))).toBeLessThan(100);
    }
  });
});
