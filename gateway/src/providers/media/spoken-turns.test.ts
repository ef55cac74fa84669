import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../contract/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import { sayInTurn, turnsOf } from "./spoken-turns.ts";

const sound = (turn: number) => Uint8Array.of(turn);
const turns = (count: number) => Array.from({ length: count }, (_, at) => at);

test("consecutive lines of one voice are one turn", () => {
  const lines = [
    { voice: "ava", text: "Tea?" },
    { voice: "ava", text: "Or coffee?" },
    { voice: null, text: "Tea." },
    { voice: "ava", text: "Good." },
  ];
  expect(turnsOf(lines)).toEqual([
    { voice: "ava", text: "Tea?\nOr coffee?" },
    { voice: null, text: "Tea." },
    { voice: "ava", text: "Good." },
  ]);
});

describe("turns", () => {
  test("are spoken three at a time and returned in order", async () => {
    let running = 0;
    let most = 0;
    const said = await sayInTurn(turns(64), async (turn) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return sound(turn);
    });
    expect(said.map(([turn]) => turn)).toEqual(turns(64));
    expect(most).toBe(3);
  });

  test("are refused before the first is spoken if there are more than 64", async () => {
    let calls = 0;
    const work = sayInTurn(turns(65), async (turn) => {
      calls += 1;
      return sound(turn);
    });
    expect((await failureFrom(work)).kind).toBe("rejected");
    expect(calls).toBe(0);
  });

  test("fail together if one fails, and the next round does not start", async () => {
    const said: number[] = [];
    const work = sayInTurn(turns(9), async (turn) => {
      said.push(turn);
      if (turn === 4) throw new Error("hoarse");
      return sound(turn);
    });
    await expect(work).rejects.toThrow("hoarse");
    expect(said).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test.each([
    [1, false],
    [2, true],
  ])(
    "fail, if there are %d, with a failure that says whether another was spoken",
    async (count, mayBeMade) => {
      const work = sayInTurn(turns(count), async (turn) => {
        if (turn === count - 1) throw new ProviderFailure("unavailable", "no", { status: 503 });
        return sound(turn);
      });
      expect((await failureFrom(work)).mayBeMade === true).toBe(mayBeMade);
    },
  );
});
