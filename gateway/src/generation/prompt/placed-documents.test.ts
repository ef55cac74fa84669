import { describe, expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import type { ContentPart, FilePart } from "../../contract/index.ts";
import { quote, WILLING } from "../chat-call-testing.ts";

const seeing = (limits: object) =>
  modelFrom({
    type: "text",
    credits_per_request: 1,
    price: { input_per_million: 1_000, output_per_million: 1_000 },
    limits: { context_tokens: 100_000, max_output_tokens: 100, tokens_per_image: 1_000, ...limits },
  });
const PICTURES_ALONE = seeing({});

const placed = (mediaType: string): FilePart => {
  const url = `data:${mediaType};base64,AAAA`;
  return { type: "file", mediaType, data: url, writtenAs: { type: "image", url } };
};
const quoted = (parts: readonly ContentPart[], sendsAsWritten: boolean, model = PICTURES_ALONE) =>
  quote(
    { messages: [{ role: "user", content: parts }] },
    { model, registry: { text: () => ({ sendsAsWritten }) } },
  );
const heldFor = (...input: Parameters<typeof quoted>) => quoted(...input).paidCall.admission.full;

describe("a document in place of an image", () => {
  test("gets the hold of a file", () => {
    const model = seeing({ tokens_per_file: 20_000 });
    expect(heldFor([placed("video/mp4")], false, model)).toBeGreaterThanOrEqual(20);
  });

  test("is refused by a model without files if we would have to send it as a file", () => {
    expect(() => quoted([placed("application/pdf")], false)).toThrow("this model takes no files");
  });

  test("is accepted if it is sent as written, with a hold as if the model took files", () => {
    expect(heldFor([placed("application/pdf")], true)).toBeGreaterThanOrEqual(50);
    expect(quoted([placed("video/mp4")], true).input.counted.attached.hasUnsureFiles).toBe(true);
  });

  test("does not admit other files beside it, nor itself to a model without images", () => {
    const file: ContentPart = { type: "file", data: "AA==" };
    const other: ContentPart = { type: "other", name: "video_url" };
    expect(() => quoted([placed("application/pdf"), file], true)).toThrow("this model takes no files");
    expect(() => quoted([placed("application/pdf"), other], true)).toThrow("this model takes no");
    const blind = modelFrom({ type: "text" });
    expect(() => quoted([placed("application/pdf")], true, blind)).toThrow("this model takes no files");
  });
});

describe("a document that a tool returned in place of an image", () => {
  const call = { id: "c", name: "look", arguments: "{}" };
  const result = (content: readonly ContentPart[], model = PICTURES_ALONE, registry = WILLING) =>
    quote(
      {
        messages: [
          { role: "user", content: "Look." },
          { role: "assistant", content: null, toolCalls: [call] },
          { role: "tool", toolCallId: call.id, content },
        ],
      },
      { model, registry },
    );

  test("is accepted by a model with images but without files, with the hold of a file", () => {
    expect(result([placed("application/pdf")]).paidCall.admission.full).toBeGreaterThanOrEqual(50);
    expect(() => result([{ type: "file", data: "AA==" }])).toThrow("this model takes no files");
    expect(() => result([placed("application/pdf")], modelFrom({ type: "text" }))).toThrow("takes no files");
  });

  test("is accepted by any model if it has text, which every target is sent in its place", () => {
    const text: FilePart = {
      type: "file",
      data: `data:text/plain;base64,${btoa("Small steps. ".repeat(2_000))}`,
    };
    const blind = modelFrom({
      ...{ type: "text", price: { input_per_million: 1_000, output_per_million: 1_000 } },
      limits: { context_tokens: 100_000, max_output_tokens: 100 },
    });
    expect(result([text], blind).paidCall.admission.full).toBeGreaterThanOrEqual(7);
    expect(result([text]).paidCall.admission.full).toBeGreaterThanOrEqual(7);
    const asWritten = (writesOut: boolean) =>
      result([text], blind, { text: () => ({ sendsAsWritten: true, writesOutResults: () => writesOut }) });
    expect(asWritten(true).paidCall.admission.full).toBeGreaterThanOrEqual(7);
    expect(() => asWritten(false)).toThrow("this model takes no files");
    expect(() => quoted([text], false, blind)).toThrow("this model takes no files");
    expect(() => result([text, { type: "file", data: "AA==" }], blind)).toThrow("this model takes no files");
  });

  test("is refused if it is text that exceeds the model's context, like a text file", () => {
    const url = `data:text/plain;base64,${Buffer.from("One small step. ".repeat(120_000)).toString("base64")}`;
    const text: FilePart = { ...placed("text/plain"), data: url };
    expect(() => result([text])).toThrow("maximum context length");
    expect(() => result([{ type: "file", data: url }], seeing({ tokens_per_file: 20_000 }))).toThrow(
      "maximum context length",
    );
  });
});

test("an image under a document's name is accepted by a model with images, with the hold of a file", () => {
  const file = { ...placed("application/pdf"), mediaType: "image/png" };
  expect(heldFor([file], false)).toBeGreaterThanOrEqual(50);
});
