import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { done, events as part, written } from "../../gateway/src/http/openai/responses/testing.ts";
import { responseReading } from "../../gateway/src/providers/openai-wire/responses/response-reading.ts";
import { expecting } from "../../gateway/src/providers/openai-wire/testing.ts";
import { roundsOfRun } from "../rounds-of-run.ts";
import { ODD_SERVERS, type UpstreamEvent, upstreamResponse } from "./odd-responses.ts";
import { officialReading } from "./official-reading.ts";
import { readResponseStream } from "./response-events.ts";

type Items = readonly Readonly<Record<string, unknown>>[];

/** What clients get from such a stream: its items, those of its repeat, and what they would stumble over. */
async function told(upstream: readonly UpstreamEvent[]) {
  const decoder = responseReading(expecting()).stream();
  const data = upstream.map((event) => ({ event: event.type, data: JSON.stringify(event) }));
  const list = [...decoder.push(data), ...decoder.end()];
  const finish = list.at(-1);
  if (finish?.type !== "finish") throw new Error("finish is not last");
  const end = done(finish.reason, finish.whole);
  const [stream, repeat] = [written([...list.map((event) => part(event)), end]), written([end])];
  const faults = [stream, repeat].flatMap((each) => readResponseStream(each).faults);
  return { stream: await officialReading(stream), repeat: await officialReading(repeat), faults };
}

/**
 * For comparison with the reply in one piece, without ids and in a fixed order: those may differ if the server streamed
 * oddly.
 */
function plain(items: readonly unknown[]): readonly string[] {
  return (items as Items)
    .map(({ id: _, ...item }) => ({
      ...item,
      ...(item["arguments"] === "" && item["status"] === "completed" && { arguments: "{}" }),
    }))
    .map((item) => JSON.stringify(Object.entries(item).toSorted()))
    .toSorted();
}

/** Faults of the server that cannot be repaired while its text is passed on as it arrives. */
const ITS_OWN: readonly (readonly [RegExp, RegExp])[] = [
  [/ends no item/, /stands inside item/],
  [/says nothing whole/, /^never ended/],
];
const isItsOwn = (name: string, fault: string) =>
  ITS_OWN.some(([server, itsFault]) => server.test(name) && itsFault.test(fault));

describe("an upstream of the responses wire", () => {
  test.each(Object.entries(ODD_SERVERS))(
    "that %s is read correctly by the official client, in a stream and in its repeat",
    async (name, asSent) => {
      await fc.assert(
        fc.asyncProperty(upstreamResponse, async ({ response, events }) => {
          const { stream, repeat, faults } = await told(asSent(events));
          expect(faults.filter((fault) => !isItsOwn(name, fault))).toEqual([]);
          expect(repeat).toEqual([...stream]);
          expect(plain(stream)).toEqual([...plain(response["output"] as Items)]);
        }),
        { numRuns: roundsOfRun(30) },
      );
    },
  );
});
