import { expect, test } from "bun:test";
import { chosenWords } from "./chosen-words.ts";
import { viewOf } from "./use-filter.ts";

const ID = "0193b0a0-0000-7000-8000-000000000001";
const choices = {
  models: [],
  endpoints: [],
  keys: [{ id: ID, name: "Website" }],
  members: [{ id: ID, name: "Ada" }],
};
const said = (search: string) => chosenWords(viewOf(new URLSearchParams(search)), choices);

test("the chosen filters are shown by their display names", () => {
  expect(said("")).toBe("30 days");
  expect(
    said(`days=1&model=sandbox-chat&endpoint=api-v1-chat&keyId=${ID}&memberId=${ID}&status=failed`),
  ).toBe("Today, sandbox-chat, Chat, key Website, Ada, requests: failed");
  expect(said("memberId=none")).toBe("30 days, unattributed");
});
