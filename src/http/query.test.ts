import { describe, expect, test } from "bun:test";
import { createEdge, nativeErrorOf, USAGE_PATH } from "./testing.ts";

const asked = async (query: string) => (await createEdge().send(`${USAGE_PATH}?${query}`)).json();

describe("query parameters", () => {
  test.each([
    ["", { days: 30, limit: 50 }],
    ["days=1&limit=200", { days: 1, limit: 200 }],
    ["view=usage&days=90&limit=1", { days: 90, limit: 1 }],
    ["unknown=1&unknown=2&key=svc_live_x&limit=7", { days: 30, limit: 7 }],
    ["limit=%37", { days: 30, limit: 7 }],
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
  ])("%s is refused with the parameter's name and what it accepts", async (query, message) => {
    const response = await createEdge().send(`${USAGE_PATH}?${query}`);
    expect(response.status).toBe(400);
    expect(await nativeErrorOf(response)).toEqual({ code: "validation_error", message });
  });
});
