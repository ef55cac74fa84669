import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../../contract/index.ts";
import { eventsOf } from "../../../generation/index.ts";
import { answerWith, paidFor } from "../chat/chat-testing.ts";
import { outputOf } from "./responses.ts";
import { argumentsOf, done, events, finish, formsFor, outputIn, start, streamed, text } from "./testing.ts";

const place = { start_index: 0, end_index: 3 };
const chatForm = { type: "url_citation", url_citation: { url: "https://a.example", title: "A", ...place } };
const ownForm = { type: "url_citation", url: "https://a.example", title: "A", ...place };
const cited = (...content: unknown[]): ChatEvent => ({ type: "annotations", content });

const typesIn = (seen: readonly { readonly type: string }[]) =>
  seen.map(({ type }) => type.replace("response.", "")).filter((type) => type.startsWith("output_text"));

describe("an annotation of a chat completion", () => {
  test.each<[string, ChatEvent[]]>([
    ["after its text", [text("See"), text(" it."), cited(chatForm)]],
    ["before its text", [cited(chatForm), text("See it.")]],
    ["before a call", [text("See it."), cited(chatForm), start(0, "f"), argumentsOf(0, "{}")]],
    [
      "with text that waits for a call",
      [start(0, "f"), argumentsOf(0, "{"), text("See it."), cited(chatForm)],
    ],
  ])("is added to its text in a response: %s", (_, list) => {
    const { events: seen, response, faults } = streamed([events(...list), events(finish()), done()]);
    expect(faults).toEqual([]);
    const added = seen.filter(({ type }) => type === "response.output_text.annotation.added");
    expect(added).toMatchObject([{ content_index: 0, annotation_index: 0, annotation: ownForm }]);
    expect(typesIn(seen).slice(-2)).toEqual(["output_text.annotation.added", "output_text.done"]);
    const message = outputIn(response).find(({ type }) => type === "message");
    expect(message).toMatchObject({ content: [{ text: "See it.", annotations: [ownForm] }] });
  });

  test("is numbered in sequence, in either form", () => {
    const { events: seen } = streamed([
      events(text("See it."), cited(chatForm, ownForm)),
      events(cited(chatForm)),
      done(),
    ]);
    const numbers = seen.flatMap(({ annotation_index: number }) => (number === undefined ? [] : [number]));
    expect(numbers).toEqual([0, 1, 2]);
  });

  test("is omitted if a response has no form for it, and gets all required fields otherwise", () => {
    const bare = { type: "url_citation", url_citation: { url: "https://a.example" } };
    const { response } = streamed([
      events(text("a"), cited({ type: "file", file: {} }, null, 5, bare)),
      done(),
    ]);
    const annotations = [{ ...ownForm, title: "", start_index: 0, end_index: 0 }];
    expect(outputIn(response)).toMatchObject([{ content: [{ annotations }] }]);
  });

  test("is in a response in one piece, and in its repeat as a stream", () => {
    const answer = answerWith({ content: "See it.", annotations: [chatForm] });
    const { maker } = formsFor();
    const { outcome } = paidFor([answer]);
    const whole = JSON.parse(outputOf(outcome, maker));
    expect(whole).toMatchObject([{ content: [{ annotations: [ownForm] }] }]);
    const { response } = streamed([events(...eventsOf([answer])), done()]);
    expect(outputIn(response)).toEqual(whole);
  });
});
