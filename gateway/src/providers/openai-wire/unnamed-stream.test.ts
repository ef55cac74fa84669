import { describe, expect, test } from "bun:test";
import { ANSWER_TEXT, completion, deltaFrame, goodFrames } from "../../../../test/upstream/chat-wire.ts";
import { answerIn, cutAt } from "../../../../test/upstream/cut-answer.ts";
import type { ChatEvent } from "../../contract/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import { neutralReading } from "./reading.ts";
import { expecting } from "./testing.ts";
import { WireBatches } from "./wire-batches.ts";

const OTHER_TYPES = [
  "text/plain",
  "application/octet-stream",
  "application/json",
  "application/x-ndjson",
  null,
];
const TYPES = ["Text/Event-Stream; charset=utf-8", ...OTHER_TYPES];

function named(types: readonly (string | null)[]): [string, string | null][] {
  return types.map((type) => [type ?? "none", type]);
}

function batchesOf(response: Response): WireBatches {
  return new WireBatches(() => ({
    answered: Promise.resolve(response),
    reading: neutralReading(expecting()),
  }));
}

async function textOf(response: Response): Promise<string> {
  const events: ChatEvent[] = (await Array.fromAsync(batchesOf(response))).flat();
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

describe.each(named(TYPES))("a stream with content type %s", (_name, type) => {
  const headers: Record<string, string> = type === null ? {} : { "content-type": type };

  test.each(["", "\r\n \n", ": awake\n\n", "id: 1\n", "retry: 9\n\n", "event: message\n"])(
    "is delivered while it is being made, even if it begins with %j",
    async (beginning) => {
      const wire = new TransformStream<Uint8Array, Uint8Array>();
      const writer = wire.writable.getWriter();
      const batches = batchesOf(new Response(wire.readable, { headers }));
      const first = batches.next();
      await writer.write(Buffer.from(`${beginning}${deltaFrame({ content: "Hi" })}`));
      expect((await first).value).toEqual([{ type: "text", text: "Hi" }]);
      const cancelled = writer.closed.catch((error: unknown) => error);
      await batches.return();
      await cancelled;
    },
  );

  test("is read the same, however the network cuts its beginning", async () => {
    const bytes = Buffer.from(` \n${goodFrames().join("")}`);
    for (let place = 0; place < 10; place++)
      expect(await textOf(answerIn(cutAt(bytes, [place, place + 1]), type))).toBe(ANSWER_TEXT);
  });
});

describe.each(named(OTHER_TYPES))("a body with content type %s", (_name, type) => {
  test("that is a whole reply is read as one, even after whitespace", async () => {
    const pieces = [" ", "\n", completion()].map((text) => Buffer.from(text));
    expect(await textOf(answerIn(pieces, type))).toBe(ANSWER_TEXT);
  });

  test.each(["", " \n", "dat", "data", "<html>", "date: now\n\n"])(
    "that is neither a reply nor a stream fails with a message that says so: %j",
    async (body) => {
      const failure = await failureFrom(textOf(answerIn(cutAt(Buffer.from(body), [1]), type)));
      expect(failure.detail.internal).toContain("neither JSON nor a stream");
    },
  );
});
