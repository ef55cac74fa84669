import { describe, expect, test } from "bun:test";
import { createReadLimiter } from "../admission/index.ts";
import { systemClock } from "../kit/index.ts";
import { createEdge, USAGE_PATH } from "./testing.ts";

describe("reads", () => {
  test("say in their headers how many more may follow, under each wire's own names, refused or not", async () => {
    const edge = createEdge();
    const rateOf = async (path: string, names: (part: string) => string, key = "good") => {
      const { status, headers } = await edge.send(path, { key });
      return [status, ...["limit", "remaining", "reset"].map((part) => headers.get(names(part)) ?? "")];
    };
    const native = (part: string) => `ratelimit-${part}`;
    const openai = (part: string) => `x-ratelimit-${part}-requests`;
    const [status, limit = "", left, reset] = await rateOf(USAGE_PATH, native);
    expect([status, Number(left)]).toEqual([200, Number(limit) - 1]);
    expect(Number(reset)).toBeWithin(1, 61);
    const compatible = await rateOf("/v1/models", openai);
    expect(compatible).toEqual([200, limit, String(Number(limit) - 2), expect.stringMatching(/^\d+s$/)]);
    const unknown = "/functions/v1/api-v1-video?request_id=unknown";
    expect((await rateOf(unknown, native)).slice(0, 3)).toEqual([404, limit, String(Number(limit) - 3)]);
    const spent = createReadLimiter(systemClock);
    const readLimiter = { admitRead: (id: string) => spent.admitRead(id, 0) };
    const refused = await createEdge({ deps: { readLimiter } }).send(USAGE_PATH);
    const names = ["retry-after", "ratelimit-limit", "ratelimit-remaining"];
    expect([refused.status, ...names.map((name) => refused.headers.get(name))]).toEqual([
      429,
      refused.headers.get("ratelimit-reset"),
      "0",
      "0",
    ]);
  });
});
