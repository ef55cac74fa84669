import { describe, expect, test } from "bun:test";
import type { ChatMessage, ContentPart } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { openai, azure, openrouter, mistral, deepseek, vllm } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];
const JOINING = (["openai-wire", "vllm", "groq", "xai", "moonshot", "alibaba"] as const).map(
  (kind) => WIRE_VENDORS[kind],
);

type Message = Readonly<Record<string, unknown>>;
type Result = Extract<ChatMessage, { role: "tool" }>;

const text = (words: string) => ({ type: "text", text: words }) as const;
const url = (letters: string) => `data:image/png;base64,${letters}`;
const picture = (letters: string): ContentPart => ({ type: "image", url: url(letters) });
const shown = (letters: string) => ({ type: "image_url", image_url: { url: url(letters) } });
const PDF = "data:application/pdf;base64,AA==";
const pdf = { type: "file", data: PDF, filename: "a.pdf" } as const;
const shownPdf = { type: "file", file: { filename: "a.pdf", file_data: PDF } };
const OPENING = text("Attached to the tool results above:");

const asked: ChatMessage = { role: "user", content: "Look." };
const calling = (...ids: string[]): ChatMessage => ({
  role: "assistant",
  content: null,
  toolCalls: ids.map((id) => ({ id, name: "look", arguments: "{}" })),
});
const result = (toolCallId: string, content: Result["content"]): Result => ({
  role: "tool",
  toolCallId,
  content,
});

/** A client's own message that says the same. */
function written(message: ChatMessage): Message {
  if (message.role === "assistant") {
    const calls = (message.toolCalls ?? []).map(({ id, name, arguments: words }) => ({
      id,
      type: "function",
      function: { name, arguments: words },
    }));
    return {
      role: "assistant",
      content: message.content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  }
  const { role, content } = message;
  const parts = typeof content === "string" ? content : content.map(writtenPart);
  return role === "tool"
    ? { role, tool_call_id: message.toolCallId, content: parts }
    : { role, content: parts };
}

function writtenPart(part: ContentPart): unknown {
  if (part.type === "text") return part;
  if (part.type === "image") return { type: "image_url", image_url: { url: part.url } };
  if (part.type === "other") return { type: part.name };
  if (part.writtenAs !== undefined) return { type: "image_url", image_url: { url: part.data } };
  const { data: file_data, filename } = part;
  return { type: "file", file: { file_data, ...(filename === undefined ? {} : { filename }) } };
}

type Sending = { readonly vendor: WireVendor; readonly model?: string };

/** How a conversation is sent: encoded from its neutral form, and passed through. */
const WAYS = [
  [
    "translated",
    (messages: readonly ChatMessage[], sending: Sending) => bodyFor({ messages }, sending)["messages"],
  ],
  [
    "passed through",
    (messages: readonly ChatMessage[], sending: Sending) =>
      wireBodyFor({ messages: messages.map(written) }, { ...sending, neutral: messages })["messages"],
  ],
] as const;

describe.each(WAYS)("images in tool results of a conversation that is %s", (_, sentTo) => {
  const sent = (messages: readonly ChatMessage[], vendor: WireVendor = wire) =>
    sentTo(messages, { vendor }) as readonly Message[];
  /** The messages after the turn with the calls. */
  const behind = (messages: readonly ChatMessage[], vendor?: WireVendor) =>
    sent([asked, calling("c1", "c2"), ...messages], vendor)
      .slice(2)
      .map(({ role, content }) => [role, content]);

  test("follow in a user message if the vendor accepts none in tool results", () => {
    const seen = result("c1", [text("T1"), picture("AA==")]);
    for (const vendor of JOINING) {
      expect(behind([seen], vendor)).toEqual([
        ["tool", "T1\n[image]"],
        ["user", [OPENING, shown("AA==")]],
      ]);
    }
    for (const vendor of [openai, azure]) {
      expect(behind([seen], vendor)).toEqual([
        ["tool", [text("T1"), text("[image]")]],
        ["user", [OPENING, shown("AA==")]],
      ]);
    }
  });

  test("of one turn follow all of its results, labelled by result", () => {
    const results = [
      result("c1", [picture("AA=="), text("T1")]),
      result("c2", [text("T2"), picture("BB=="), picture("CC==")]),
    ];
    expect(behind([...results, { role: "user", content: "Go on." }])).toEqual([
      ["tool", "[image 1]\nT1"],
      ["tool", "T2\n[image 2]\n[image 3]"],
      [
        "user",
        [
          OPENING,
          text("[image 1]"),
          shown("AA=="),
          text("[image 2]"),
          shown("BB=="),
          text("[image 3]"),
          shown("CC=="),
        ],
      ],
      ["user", "Go on."],
    ]);
  });

  test("follow the results of their own turn", () => {
    const messages = [asked, calling("c1"), result("c1", [picture("AA==")]), calling("c2")];
    const later = [...messages, result("c2", [picture("BB==")]), { role: "user", content: "So?" } as const];
    expect(sent(later).map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "user"],
      ...["assistant", "tool", "user", "user"],
    ]);
    expect(sent(later).filter(({ role }) => role === "tool")).toMatchObject([
      { content: "[image]" },
      { content: "[image]" },
    ]);
  });

  test("follow together with documents at OpenAI; other files are only named", () => {
    const sound = { type: "file", data: "data:audio/wav;base64,AA==" } as const;
    const linked = { type: "file", data: "https://example.com/b.pdf", filename: "b.pdf" } as const;
    const placed = { type: "file", mediaType: "application/pdf", data: PDF } as const;
    const inPlace = { ...placed, writtenAs: { type: "image", url: PDF } } as const;
    const content = [pdf, picture("AA=="), sound, linked, inPlace];
    const named = ["[a.pdf]", "[image]", "[file 1]", "[b.pdf]", "[file 2]"];
    const followed = ["user", [OPENING, shownPdf, shown("AA==")]];
    expect(behind([result("c1", content)], openai)).toEqual([["tool", named.map(text)], followed]);
    expect(behind([result("c1", content)])).toEqual([
      ["tool", named.join("\n")],
      ["user", [OPENING, shown("AA==")]],
    ]);
    expect(behind([result("c1", [sound])])).toEqual([["tool", "[file]"]]);
  });

  test.each([
    ["data:image/jpeg;base64,AA==", true, true],
    ["data:image/webp;base64,AA==", true, false],
    ["https://example.com/a.png", true, false],
    ["data:image/svg+xml;base64,AA==", false, false],
    ["data:image/png;base64,", false, false],
    ["data:image/png,%89PNG", false, false],
  ])("follow only in formats that the vendor surely accepts: %s", (address, atOpenai, elsewhere) => {
    const seen = result("c1", [{ type: "image", url: address }]);
    expect(behind([seen], openai)).toHaveLength(atOpenai ? 2 : 1);
    expect(behind([seen])).toHaveLength(elsewhere ? 2 : 1);
  });

  test("follow only for the newest four, but at OpenAI for all", () => {
    const turns = ["A", "B", "C", "D", "E", "F"].flatMap((letter) => [
      calling(letter),
      result(letter, [picture(`${letter}A==`)]),
    ]);
    const pictures = (vendor: WireVendor) =>
      JSON.stringify(sent([asked, ...turns], vendor))
        .match(/(?<=base64,)./g)
        ?.join("");
    expect(pictures(wire)).toBe("CDEF");
    const pair = [
      calling("c1"),
      result(
        "c1",
        ["A", "B"].map((letter) => picture(`${letter}A==`)),
      ),
    ];
    const [, , first, follows] = sent([asked, ...pair, ...turns.slice(-6)]);
    expect(first).toMatchObject({ content: "[image 1]\n[image 2]" });
    expect(follows).toMatchObject({ content: [OPENING, text("[image 2]"), shown("BA==")] });
    expect(pictures(openai)).toBe("ABCDEF");
  });

  test("and files have their names shortened", () => {
    const words = { type: "file", data: "data:text/plain,Hi", filename: "n".repeat(9_000) } as const;
    for (const vendor of [wire, openai])
      expect(JSON.stringify(behind([result("c1", [words])], vendor)).length).toBeLessThan(200);
  });

  test("stay inside results if the vendor accepts that; some vendors get only a placeholder", () => {
    const seen = result("c1", [text("T1"), picture("AA==")]);
    expect(behind([seen], openrouter)).toEqual([["tool", [text("T1"), shown("AA==")]]]);
    for (const vendor of [mistral, deepseek])
      expect(behind([seen], vendor)).toEqual([["tool", "T1\n[image]"]]);
  });

  test.each(["mistralai/Mistral-Small-4-119B", "pixtral-12b", "Devstral-Small-2", "mixtral"])(
    "are only named to a model that rejects a user message right after a tool result: %s",
    (model) => {
      const messages = [asked, calling("c1"), result("c1", [picture("AA==")])];
      expect(sentTo(messages, { vendor: vllm, model })).toHaveLength(3);
      expect(sentTo(messages, { vendor: openai, model })).toMatchObject([
        {},
        {},
        { content: [text("[image]")] },
      ]);
    },
  );
});

describe("a passed-through conversation", () => {
  test("keeps its message objects if tool results contain only text", () => {
    const messages = [
      asked,
      calling("c1"),
      result("c1", [text("T1")]),
      { role: "user", content: [picture("AA==")] },
    ];
    const given = (messages as ChatMessage[]).map(written);
    const body = wireBodyFor({ messages: given }, { vendor: openai, neutral: messages as ChatMessage[] });
    const sent = body["messages"] as readonly Message[];
    expect(sent).toHaveLength(given.length);
    for (const at of [0, 2, 3]) expect(sent[at]).toBe(given[at] as Message);
  });

  test("keeps an image in a legacy function result, without adding it again", () => {
    const given = { role: "function", name: "look", content: [shown("AA==")] };
    const body = wireBodyFor({ messages: [given] }, { neutral: [result("c1", [picture("AA==")])] });
    expect(body["messages"]).toEqual([given]);
  });

  test("keeps cache marks on results whose images are moved", () => {
    const mark = { prompt_cache_breakpoint: { mode: "explicit" } };
    const given = { role: "tool", tool_call_id: "c1", content: [{ ...shown("AA=="), ...mark }] };
    const body = wireBodyFor(
      { messages: [given] },
      { vendor: openai, neutral: [result("c1", [picture("AA==")])] },
    );
    expect(body["messages"]).toMatchObject([
      { content: [{ ...text("[image]"), ...mark }] },
      { role: "user" },
    ]);
  });
});
