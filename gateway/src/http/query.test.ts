import { describe, expect, test } from "bun:test";
import type { UsageView } from "../usage/index.ts";
import { createEdge, nativeErrorOf, USAGE_PATH } from "./testing.ts";

const ID = "0190e3c2-0000-7000-8000-00000000000b";

const asked = async (query: string) => (await createEdge().send(`${USAGE_PATH}?${query}`)).json();

describe("query parameters", () => {
  test.each([
    ["", { days: 30, limit: 50 }],
    ["days=1&limit=200", { days: 1, limit: 200 }],
    ["view=usage&days=90&limit=1", { days: 90, limit: 1 }],
    ["unknown=1&unknown=2&key=svc_live_x&limit=7", { days: 30, limit: 7 }],
    ["limit=%37", { days: 30, limit: 7 }],
    [
      "from=2024-02-29&to=2024-05-28&model=m",
      { days: 30, limit: 50, from: "2024-02-29", to: "2024-05-28", model: "m" },
    ],
    [`api_key_id=${ID.toUpperCase()}&status=failed`, { days: 30, limit: 50, keyId: ID, status: "failed" }],
  ])("%s is accepted", async (query, expected) => {
    expect(await asked(query)).toEqual({ asked: expected });
  });

  test.each([
    ["limit=-1", "limit: must be a whole number from 1 to 200"],
    ["limit=0", "limit: must be a whole number from 1 to 200"],
    ["limit=201", "limit: must be a whole number from 1 to 200"],
    ["limit=", "limit: must be a whole number from 1 to 200"],
    ["limit=abc", "limit: must be a whole number from 1 to 200"],
    ["limit=1.5", "limit: must be a whole number from 1 to 200"],
    ["limit=1e2", "limit: must be a whole number from 1 to 200"],
    ["limit=0x10", "limit: must be a whole number from 1 to 200"],
    ["limit=%2B5", "limit: must be a whole number from 1 to 200"],
    ["limit=5%00", "limit: must be a whole number from 1 to 200"],
    ["limit=99999999999999999999", "limit: must be a whole number from 1 to 200"],
    ["limit=1&limit=2", "limit: must be given once"],
    ["days=0", "days: must be a whole number from 1 to 90"],
    ["days=91", "days: must be a whole number from 1 to 90"],
    ["view=nope", "view: must be one of balance, usage"],
    ["view=", "view: must be one of balance, usage"],
    ["view=balance&view=usage", "view: must be given once"],
    ["from=2023-02-29", "from: must be a day in UTC, as YYYY-MM-DD"],
    ["to=today", "to: must be a day in UTC, as YYYY-MM-DD"],
    ["to=0001-01-01", "to: must be a day in UTC, as YYYY-MM-DD"],
    ["from=2024-01-02&to=2024-01-01", "from: must not be after to"],
    ["from=2024-01-01&to=2024-03-31", "from: must be at most 90 days before the end of to"],
    ["api_key_id=mine", "api_key_id: must be an id"],
    ["member_user_id=", "member_user_id: must be an id"],
    ["status=refused", "status: must be one of succeeded, failed, cancelled, processing"],
    ["model=a%00", "model: must have 1 to 200 characters"],
    [
      "cursor=x",
      "cursor: must be a next_cursor that your organization was given with the same filters, unchanged",
    ],
  ])("%s is refused with the parameter's name and what it accepts", async (query, message) => {
    const response = await createEdge().send(`${USAGE_PATH}?${query}`);
    expect(response.status).toBe(400);
    expect(await nativeErrorOf(response)).toEqual({ code: "validation_error", message });
  });
});

describe("a usage cursor", () => {
  const edge = createEdge({
    deps: {
      usage: {
        balanceView: () => Promise.reject(new Error("not played here")),
        usageView: async (_, { after = null }) => ({ after, next_cursor: ID }) as unknown as UsageView,
      },
    },
  });
  const ask = async (query: string) => (await edge.send(`${USAGE_PATH}?${query}`)).json();

  test("is valid unaltered, with the same filters", async () => {
    const { next_cursor: cursor } = await ask("model=m");
    expect(await ask(`model=m&limit=3&cursor=${cursor}`)).toMatchObject({ after: ID });
    for (const wrong of [
      `model=n&cursor=${cursor}`,
      `cursor=${cursor}`,
      `model=m&cursor=${cursor}x`,
      `cursor=${ID}`,
    ])
      expect((await edge.send(`${USAGE_PATH}?${wrong}`)).status).toBe(400);
  });
});
