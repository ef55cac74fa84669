import { expect, test } from "bun:test";
import { EVENT_TYPES } from "../../../gateway/src/outbox/index.ts";
import { EVENT_GROUPS, eventWords } from "./events.ts";

test("every event of organizations is offered once", () => {
  const offered: readonly string[] = EVENT_GROUPS.flatMap(({ types }) => types);
  const ofOperators = ["ledger.unsound", "provider.down"];
  expect(offered.toSorted()).toEqual(EVENT_TYPES.filter((type) => !ofOperators.includes(type)).toSorted());
});

test("what a webhook gets is said in groups as far as they are whole", () => {
  expect(eventWords([])).toBe("All events");
  expect(eventWords(["video.failed", "key.created", "video.completed"])).toBe("Videos, key.created");
});
