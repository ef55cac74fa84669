import { afterEach, expect, spyOn, test } from "bun:test";
import { AskError, UNREACHABLE } from "./ask.ts";
import { saveFile } from "./save-file.ts";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

async function problemAfter(answer: () => Response): Promise<unknown> {
  globalThis.fetch = Object.assign(async () => answer(), realFetch);
  const error = await saveFile("request.export", { days: 7, organizationId: "o" }).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof AskError ? error.problem : error;
}

test("a refused file gives the console's own problem", async () => {
  const problem = { code: "too_many", message: "Two are under way.", retryAfterSeconds: 10 };
  expect(await problemAfter(() => Response.json({ problem }, { status: 429 }))).toEqual(problem);
});

test("an answer that is not the console's, or none, counts as unreachable", async () => {
  expect(await problemAfter(() => new Response("<html>", { status: 504 }))).toEqual(UNREACHABLE);
  expect(await problemAfter(() => Response.json(null, { status: 502 }))).toEqual(UNREACHABLE);
  const offline = () => {
    throw new TypeError("Failed to fetch");
  };
  expect(await problemAfter(offline)).toEqual(UNREACHABLE);
});

test("an interrupted file is reported as such, and half of it is not saved", async () => {
  const saved = spyOn(URL, "createObjectURL");
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) =>
      sent++ === 0 ? controller.enqueue(Buffer.from("day,credits\n")) : controller.error(new Error("reset")),
  });
  expect(await problemAfter(() => new Response(body))).toMatchObject({
    message: expect.stringContaining("was interrupted"),
  });
  expect([sent, saved.mock.calls]).toEqual([2, []]);
  saved.mockRestore();
});
