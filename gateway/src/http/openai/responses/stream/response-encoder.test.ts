import { describe, expect, test } from "bun:test";
import type { ResponseEvent } from "../../../../../../test/conformance/response-events.ts";
import type { ChatEvent } from "../../../../contract/index.ts";
import { AppError } from "../../../../kit/index.ts";
import { answerWith, paidFor, REQUEST_ID } from "../../chat/chat-testing.ts";
import type { PartEncoder } from "../../open-stream.ts";
import { outputOf } from "../responses.ts";
import { responseReplySchema } from "../responses-schema.ts";
import {
  argumentsOf,
  done,
  events,
  finish,
  formsFor,
  outputIn,
  seals,
  start,
  streamed,
  text,
} from "../testing.ts";
import { createResponseEncoder } from "./response-encoder.ts";

function encoderFor(): PartEncoder {
  const { object, maker } = formsFor();
  return createResponseEncoder(object, maker);
}

/** "+0 -0": the first item was added, then done. */
function itemsBegunAndEnded(seen: readonly ResponseEvent[]): string {
  return seen
    .filter(({ type }) => type.startsWith("response.output_item."))
    .map(({ type, output_index: index }) => `${type.endsWith("added") ? "+" : "-"}${index}`)
    .join(" ");
}

describe("a streamed response", () => {
  test("has the whole sequence of events for a text, with the charge in the last one", () => {
    const {
      events: seen,
      response,
      faults,
    } = streamed([events(text("Hel")), events(text("lo"), finish()), done()]);
    expect(faults).toEqual([]);
    expect(seen.map(({ type }) => type.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
    expect(responseReplySchema.parse(response)).toMatchObject({
      id: `resp_${REQUEST_ID}`,
      status: "completed",
      model: "acme-chat",
      credits_charged: 3,
      output: [{ content: [{ text: "Hello" }] }],
    });
  });

  test("has at most about a thousand items if the model alternates between reasoning and text", () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `${at} `);
    const turns = words.map((word) =>
      events({ type: "reasoning", text: `t${word}` }, text(word), { type: "reasoning", text: "." }),
    );
    const called = events(start(0, "f"), argumentsOf(0, "{}"));
    const { response, faults } = streamed([...turns, called, ...turns, events(finish()), done()]);
    expect(faults).toEqual([]);
    const output = outputIn(response);
    expect(output.length).toBeLessThan(1_010);
    const said = (type: string, field: string) =>
      output
        .filter((item) => item["type"] === type)
        .flatMap((item) => item[field] as readonly { text: string }[])
        .map((part) => part.text)
        .join("");
    const thoughts = words.map((word) => `t${word}.`).join("");
    expect(said("message", "content")).toBe(words.join("").repeat(2));
    expect(said("reasoning", "summary")).toBe(thoughts.repeat(2));
  });

  test("has calls under the original names of their tools", () => {
    const { response, faults } = streamed([
      events(start(0, "f"), argumentsOf(0, '{"a"'), start(1, "patch"), argumentsOf(0, ":1}")),
      events(
        argumentsOf(1, '{"input":"+a\\n'),
        argumentsOf(1, '+b"}'),
        start(2, "n__g"),
        finish("tool_calls"),
      ),
      done("tool_calls"),
    ]);
    expect(faults).toEqual([]);
    expect(outputIn(response)).toMatchObject([
      { type: "function_call", name: "f", call_id: "c0", arguments: '{"a":1}', status: "completed" },
      { type: "custom_tool_call", name: "patch", call_id: "c1", input: "+a\n+b" },
      { type: "function_call", name: "g", namespace: "n", arguments: "{}" },
    ]);
  });

  test("ends a call as soon as anything else begins", () => {
    const call = (at: number) => events(start(at, "f"), argumentsOf(at, '{"a"'), argumentsOf(at, ":1}"));
    const thought: ChatEvent = { type: "reasoning", text: "hm" };
    const parts = [call(0), call(1), events(text("so")), call(2), events(thought), call(3)];
    const { events: seen, faults } = streamed([...parts, events(finish("tool_calls")), done("tool_calls")]);
    expect(faults).toEqual([]);
    expect(itemsBegunAndEnded(seen)).toBe("+0 -0 +1 -1 +2 -2 +3 -3 +4 -4 +5 -5");
  });

  test("holds back what begins before a call is complete, until it is complete", () => {
    const parts = [
      events(start(0, "f"), argumentsOf(0, '{"a"'), start(1, "f"), argumentsOf(1, '{"b":'), text("so")),
      events(argumentsOf(1, "2}"), { type: "logprobs", content: [{ token: "so", logprob: 0 }] }),
      events(argumentsOf(0, ":1}")),
    ];
    const encoder = encoderFor();
    const [before, , after] = parts.map((part) => encoder.encode(part).join(""));
    expect(before).not.toContain('"output_index":1');
    expect(after).toContain("response.output_text.delta");
    const { response, faults } = streamed([...parts, events(finish("tool_calls")), done("tool_calls")]);
    expect(faults).toEqual([]);
    expect(outputIn(response)).toMatchObject([
      { arguments: '{"a":1}' },
      { arguments: '{"b":2}' },
      { content: [{ text: "so", logprobs: [{ token: "so" }] }] },
    ]);
  });

  test("that fails contains the completed calls, and none that was held back", () => {
    const error = new AppError("internal_error", "The provider failed.", { status: 502 });
    const { response, faults } = streamed([
      events(
        start(0, "f"),
        argumentsOf(0, "{}"),
        start(1, "patch"),
        argumentsOf(1, '{"inp'),
        start(2, "n__g"),
      ),
      { type: "error", error },
    ]);
    expect(faults).toEqual([]);
    expect(outputIn(response)).toMatchObject([{ call_id: "c0", status: "completed" }]);
  });

  test("whose parallel calls are cut off ends all of them as incomplete", () => {
    const cut = events(start(0, "f"), start(1, "f"), argumentsOf(0, '{"a"'), argumentsOf(1, '{"b"'));
    const { response, faults } = streamed([cut, done("length")]);
    expect(faults).toEqual([]);
    expect(outputIn(response)).toMatchObject([
      { arguments: '{"a"', status: "incomplete" },
      { arguments: '{"b"', status: "incomplete" },
    ]);
  });

  test("has reasoning as a summary and as text, piece by piece and in its item", () => {
    const thought = (words: string): ChatEvent => ({ type: "reasoning", text: words });
    const {
      events: seen,
      response,
      faults,
    } = streamed([events(thought("h"), thought("m"), finish()), done()]);
    expect(faults).toEqual([]);
    const ofReasoning = seen.filter(({ item_id: id }) => id === `rs_${REQUEST_ID}_0`);
    expect(ofReasoning.map(({ type, delta, text: whole }) => `${type} ${delta ?? whole ?? ""}`)).toEqual([
      "response.reasoning_summary_part.added ",
      "response.content_part.added ",
      "response.reasoning_summary_text.delta h",
      "response.reasoning_text.delta h",
      "response.reasoning_summary_text.delta m",
      "response.reasoning_text.delta m",
      "response.reasoning_summary_text.done hm",
      "response.reasoning_text.done hm",
      "response.reasoning_summary_part.done ",
      "response.content_part.done ",
    ]);
    expect(outputIn(responseReplySchema.parse(response))[0]).toMatchObject({
      summary: [{ type: "summary_text", text: "hm" }],
      content: [{ type: "reasoning_text", text: "hm" }],
    });
  });

  test("seals signed reasoning, in a call's id if the client did not ask for encrypted content", () => {
    const thought: ChatEvent[] = [
      { type: "reasoning", text: "hm" },
      { type: "reasoning_signature", signature: "s" },
      { type: "reasoning", text: "so" },
    ];
    const parts = [events(...thought, start(0, "f"), finish("tool_calls")), done("tool_calls")];
    for (const include of [[], ["reasoning.encrypted_content"]]) {
      const { response, faults } = streamed(parts, { include });
      expect(faults).toEqual([]);
      const [reasoning, call] = outputIn(response);
      expect(reasoning).toMatchObject({ type: "reasoning", summary: [{ text: "hm" }, { text: "so" }] });
      expect(seals.reasoningSeal.open(String(reasoning?.["encrypted_content"]))).toEqual([
        { text: "hm", signature: "s" },
        { text: "so" },
      ]);
      const carried = seals.callSeal.open(String(call?.["call_id"])).reasoning;
      expect(carried).toEqual(include.length > 0 ? undefined : [{ text: "hm", signature: "s" }]);
    }
  });

  test("has no sealed content if it is not requested and nothing is signed", () => {
    const { response } = streamed([events({ type: "reasoning", text: "hm" }, text("a"), finish()), done()]);
    expect(outputIn(response)[0]).not.toHaveProperty("encrypted_content");
  });

  test.each(["length", "content_filter"] as const)(
    "that ends with %s is incomplete, with the reason",
    (reason) => {
      const {
        events: seen,
        response,
        faults,
      } = streamed([events(text("Hel"), finish(reason)), done(reason)]);
      expect(faults).toEqual([]);
      expect(seen.at(-1)?.type).toBe("response.incomplete");
      expect(response).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason: reason === "length" ? "max_output_tokens" : reason },
        output: [{ status: "incomplete" }],
      });
    },
  );

  test("that is cut after a signature ends its text as incomplete, as the response in one piece does", () => {
    const told = events(text("Hel"), { type: "reasoning_signature", signature: "s" }, finish("length"));
    const { response, faults } = streamed([told, done("length")]);
    expect(faults).toEqual([]);
    const cut = [{ type: "message", status: "incomplete" }, { type: "reasoning" }];
    expect(outputIn(response)).toMatchObject(cut);
    const answer = answerWith({
      content: "Hel",
      reasoning: [{ text: "", signature: "s" }],
      order: [3, "thought"],
      finishReason: "length",
    });
    expect(JSON.parse(outputOf(paidFor([answer]).outcome, formsFor().maker))).toMatchObject(cut);
  });

  test("that continues after a signature ends the text before it as completed", () => {
    const signature: ChatEvent = { type: "reasoning_signature", signature: "s" };
    for (const next of [
      text("lo"),
      { type: "refusal", text: "No" },
      { type: "reasoning", text: "hm" },
    ] as const) {
      const { response, faults } = streamed([
        events(text("Hel"), signature, next, text("!"), finish("length")),
        done("length"),
      ]);
      expect(faults).toEqual([]);
      expect(outputIn(response)).toMatchObject([
        { type: "message", status: "completed" },
        { type: "reasoning" },
        { type: "message", status: "incomplete" },
      ]);
    }
  });

  test("that we cut ends its items as incomplete without a finish event", () => {
    const { response, faults } = streamed([events(text("Hel")), done("length")]);
    expect(faults).toEqual([]);
    expect(response).toMatchObject({ status: "incomplete", output: [{ status: "incomplete" }] });
  });

  test("without any text has an empty message, because clients need an item", () => {
    const { response, faults } = streamed([events(finish()), done()]);
    expect(faults).toEqual([]);
    expect(outputIn(response)).toMatchObject([{ type: "message", content: [{ text: "" }] }]);
  });

  test("has log probabilities with their text", () => {
    const logprob = { token: "a", logprob: -1, bytes: null, top_logprobs: [] };
    const {
      events: seen,
      response,
      faults,
    } = streamed([
      events(text("a"), { type: "logprobs", content: [logprob] }),
      events({ type: "logprobs", content: [logprob] }, finish()),
      done(),
    ]);
    expect(faults).toEqual([]);
    const written = { ...logprob, bytes: [] };
    expect(seen.find(({ type }) => type.endsWith("text.delta"))?.["logprobs"]).toEqual([written]);
    expect(outputIn(response)).toMatchObject([{ content: [{ logprobs: [written, written] }] }]);
  });

  test("writes each log probability once, however many events repeat it", () => {
    let written = 0;
    const token = { toJSON: () => `${written++}` };
    const said = { type: "logprobs", content: [{ token, logprob: 0 }] } as const;
    const { response } = streamed([events(text("a"), said), events(said, finish()), done()]);
    expect(outputIn(response)).toMatchObject([{ content: [{ logprobs: [{ token: "0" }, { token: "1" }] }] }]);
    expect(written).toBe(2);
  });

  test("that fails has an error event and a failed response without a charge", () => {
    const error = new AppError("internal_error", "The provider failed.", { status: 502 });
    const { events: seen, response, faults } = streamed([events(text("Hel")), { type: "error", error }]);
    expect(faults).toEqual([]);
    expect(seen.at(-2)).toMatchObject({
      type: "error",
      message: "The provider failed.",
      code: "internal_error",
      param: null,
      error: { type: "server_error", code: "internal_error", message: "The provider failed.", param: null },
    });
    expect(response).toMatchObject({
      status: "failed",
      usage: null,
      error: { code: "server_error", message: "The provider failed." },
    });
    expect(response).not.toHaveProperty("credits_charged");
  });
});
