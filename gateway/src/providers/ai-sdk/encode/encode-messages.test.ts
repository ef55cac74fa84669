import { describe, expect, test } from "bun:test";
import { type ChatMessage, type ContentPart, ProviderFailure } from "../../../contract/index.ts";
import type { AiSdkQuirks } from "../quirks.ts";
import { QUIRKS } from "../testing.ts";
import { encodeMessages } from "./encode-messages.ts";

const USER_AGAIN: ChatMessage = { role: "user", content: "and?" };
const user = (...content: readonly ContentPart[]): ChatMessage => ({ role: "user", content });
const encode = (...messages: readonly ChatMessage[]) => encodeMessages(messages, QUIRKS);

describe("messages", () => {
  test("instructions move to the front in order, and blank messages are dropped", () => {
    const prompt = encode(
      { role: "system", content: "one" },
      { role: "user", content: "hello" },
      { role: "assistant", content: "" },
      { role: "user", content: " " },
      { role: "developer", content: "two" },
    );
    expect(prompt).toEqual([
      { role: "system", content: "one" },
      { role: "system", content: "two" },
      { role: "user", content: [{ type: "text", text: "hello" }] },
    ]);
  });

  test("instructions with only a blank user message keep that message", () => {
    expect(encode({ role: "system", content: "one" }, { role: "user", content: "" })).toEqual([
      { role: "system", content: "one" },
      { role: "user", content: [{ type: "text", text: "" }] },
    ]);
  });

  test("a blank last user message is kept after an answer of the model", () => {
    const talk = [
      { role: "user", content: "one" },
      { role: "assistant", content: "two" },
    ] as const;
    const silence = { role: "user", content: [{ type: "text", text: "" }] };
    const roles = ["user", "assistant", "user"] as const;
    for (const content of ["", " \n", [], [{ type: "text", text: "" }] as const]) {
      const prompt = encode(...talk, { role: "user", content }, { role: "system", content: "be brief" });
      expect(prompt.slice(1).map(({ role }) => role)).toEqual([...roles]);
      expect(prompt.at(-1)).toMatchObject(silence);
    }
    // Only the last message can be a draft.
    expect(encode(...talk).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(encode({ role: "user", content: "one" }, { role: "user", content: "" })).toHaveLength(1);
  });

  test("a turn of only reasoning is dropped, and so is the reasoning of a final draft", () => {
    const reasoning = [{ text: "hm", signature: "acme/reasoning:c2ln" }];
    const thought = { type: "reasoning", text: "hm", providerOptions: { acme: { signature: "c2ln" } } };
    const prompt = encode(
      { role: "user", content: "one" },
      { role: "assistant", content: "", reasoning },
      { role: "assistant", content: "first", reasoning },
      { role: "assistant", content: "draft", reasoning },
    );
    expect(prompt).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [thought, { type: "text", text: "first" }] },
      { role: "assistant", content: [{ type: "text", text: "draft" }] },
    ]);
  });

  test("reasoning keeps its place among text and calls, even if the client changed the text", () => {
    const toolCalls = [{ id: "a", name: "bash", arguments: "{}" }];
    const reasoning = [
      { text: "one", signature: "acme/reasoning@3,c:c2ln" },
      { text: "two", signature: "acme/reasoning@9,c:c2ln" },
      { text: "old", signature: "acme/reasoning:c2ln" },
    ];
    const shapeOf = (content: string | null) =>
      encode(
        { role: "user", content: "go" },
        { role: "assistant", content, toolCalls, reasoning },
        USER_AGAIN,
      )
        .flatMap(({ role, content: parts }) => (role === "assistant" ? parts : []))
        .map((part) => ("text" in part ? part.text : part.type));
    expect(shapeOf("So. Well.")).toEqual(["So.", "tool-call", "one", " Well.", "two", "old"]);
    expect(shapeOf("So. Well.  What else is there?")).toEqual([
      ...["So.", "tool-call", "one", " Well.  W", "two", "old", "hat else is there?"],
    ]);
    expect(shapeOf("So🙂")).toEqual(["So🙂", "tool-call", "one", "two", "old"]);
    expect(shapeOf(null)).toEqual(["tool-call", "one", "two", "old"]);
  });

  test("call ids of another provider are replaced by valid ones, the same in call and result", () => {
    const toolCalls = [
      { id: "functions.bash:0", name: "bash", arguments: "{}" },
      { id: "x".repeat(300), name: "bash", arguments: "{}" },
      { id: "toolu_1-a", name: "bash", arguments: "{}" },
    ];
    const results = toolCalls.map(({ id }) => ({ role: "tool", toolCallId: id, content: "ok" }) as const);
    const prompt = encode(
      { role: "user", content: "go" },
      { role: "assistant", content: null, toolCalls },
      ...results,
    );
    const idsOf = (at: number) =>
      ((prompt[at]?.content ?? []) as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId);
    expect(idsOf(1)).toEqual(idsOf(2));
    expect(new Set(idsOf(1)).size).toBe(3);
    expect(idsOf(1).at(-1)).toBe("toolu_1-a");
    for (const id of idsOf(1)) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  test("a reused call id is replaced from its second use on, in call and result", () => {
    const call = (id: string, name = "bash") => ({ id, name, arguments: "{}" });
    const turn = (...toolCalls: ReturnType<typeof call>[]): ChatMessage => ({
      role: "assistant",
      content: null,
      toolCalls,
    });
    const result = (toolCallId: string, content = "ok"): ChatMessage => ({
      role: "tool",
      toolCallId,
      content,
    });
    const begun = [USER_AGAIN, turn(call("a"), call("b")), result("a"), result("b")];
    const whole = [
      ...[...begun, turn(call("a", "look")), result("a"), USER_AGAIN],
      // A call that was never answered, then two calls in one turn.
      ...[turn(call("a")), USER_AGAIN, turn(call("a"), call("a", "look")), result("a"), result("a", "seen")],
    ];
    const parts = encode(...whole).flatMap(({ role, content }) =>
      role === "assistant" || role === "tool" ? (content as { toolCallId: string; toolName: string }[]) : [],
    );
    const ids = parts.map(({ toolCallId }) => toolCallId);
    expect(ids.slice(0, 4)).toEqual(["a", "b", "a", "b"]);
    expect(ids[5]).toBe(ids[4] ?? "");
    expect(ids.slice(9)).toEqual(ids.slice(7, 9));
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(parts.slice(-2).map(({ toolName }) => toolName)).toEqual(["bash", "look"]);
    // What was sent before stays the same, whatever follows.
    expect(encode(...whole).slice(0, begun.length - 1)).toEqual(encode(...begun));
    expect(encode(...whole)).toEqual(encode(...whole));
  });

  test("several results of one call are joined into one", () => {
    const call = (id: string) => ({ id, name: "look", arguments: "{}" });
    const result = (toolCallId: string, content: string): ChatMessage => ({
      role: "tool",
      toolCallId,
      content,
    });
    const told = encode(
      USER_AGAIN,
      { role: "assistant", content: null, toolCalls: [call("a"), call("b"), call("a")] },
      ...[result("a", "1"), result("b", "2"), result("a", "3"), result("b", "4"), result("a", "5")],
      USER_AGAIN,
      result("a", "6"),
    );
    expect(told.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    const results = (told[2]?.content ?? []) as { toolCallId: string; output: { value: string } }[];
    expect(results.map(({ output }) => output.value)).toEqual(["1", "2\n4", "3\n5\n6"]);
    expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(3);
  });

  test("arguments that are nested too deeply, no JSON or no object are sent as text", () => {
    const inputOf = (text: string) => {
      const toolCalls = [{ id: "c", name: "look", arguments: text }];
      const prompt = encode({ role: "user", content: "go" }, { role: "assistant", content: null, toolCalls });
      return ((prompt[1]?.content ?? []) as { input: unknown }[])[0]?.input;
    };
    const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    for (const text of [nested(100_000), "not JSON", "[1]"]) expect(inputOf(text)).toEqual({ input: text });
    expect(inputOf(nested(100))).toEqual(JSON.parse(nested(100)));
  });

  test("cache marks are set on the marked instructions, part and result", () => {
    const calls = [{ id: "c", name: "look", arguments: "{}" }];
    const mark = { providerOptions: { acme: { keep: true } } };
    const prompt = encode(
      { role: "system", content: "rules", cache: true },
      user({ type: "text", text: "long", cache: true }, { type: "text", text: "short" }),
      { role: "assistant", content: null, toolCalls: calls },
      { role: "tool", toolCallId: "c", content: [{ type: "text", text: "found", cache: true }] },
    );
    expect(prompt).toEqual([
      { role: "system", content: "rules", ...mark },
      {
        role: "user",
        content: [
          { type: "text", text: "long", ...mark },
          { type: "text", text: "short" },
        ],
      },
      expect.anything(),
      { role: "tool", content: [expect.objectContaining(mark)] },
    ]);
  });

  test("instructions are split and marked at each cacheAt position, if the provider has marks", () => {
    const rules = { role: "system", content: "rules\nmore\n12:00", cacheAt: [5, 10] } as const;
    const mark = { providerOptions: { acme: { keep: true } } };
    const asked = { role: "user", content: "go" } as const;
    expect(encode(rules, asked).slice(0, -1)).toEqual([
      { role: "system", content: "rules", ...mark },
      { role: "system", content: "more", ...mark },
      { role: "system", content: "12:00" },
    ]);
    const whole = { role: "system", content: rules.content } as const;
    expect(encodeMessages([rules, asked], { ...QUIRKS, cacheMark: null })).toEqual(encode(whole, asked));
    expect(encode({ role: "system", content: "rules\n ", cacheAt: [5] }, asked)[1]?.role).toBe("user");
  });

  test("a result without its call is refused", () => {
    expect(() => encode({ role: "tool", toolCallId: "x", content: "1" })).toThrow(ProviderFailure);
  });
});

describe("a tool's result", () => {
  const png = { type: "image", url: "data:image/png;base64,AAAA" } as const;
  const remote = { type: "image", url: "https://a.example/b.png" } as const;
  const note = { type: "file", data: Buffer.from("note").toString("base64"), filename: "a.txt" } as const;
  const sound = { type: "file", data: "AAAA", filename: "a.wav" } as const;

  function outputOf(content: readonly ContentPart[], quirks: Partial<AiSdkQuirks> = {}) {
    const call = { id: "c", name: "look", arguments: "{}" };
    const messages: ChatMessage[] = [
      { role: "assistant", content: null, toolCalls: [call] },
      { role: "tool", toolCallId: "c", content },
    ];
    const prompt = encodeMessages(messages, { ...QUIRKS, ...quirks });
    return ((prompt[1]?.content ?? []) as { output: unknown }[])[0]?.output;
  }

  test("of several texts becomes one text, text files included", () => {
    expect(outputOf([{ type: "text", text: "a" }, note])).toEqual({ type: "text", value: "a\nnote" });
  });

  test("contains images after one text if the provider accepts them", () => {
    const file = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } };
    const texts = [{ type: "text", text: "a" } as const, { type: "text", text: "b" } as const];
    expect(outputOf([...texts, png])).toEqual({
      type: "content",
      value: [{ type: "text", text: "a\nb" }, file],
    });
    expect(outputOf([png])).toMatchObject({ type: "content", value: [{ type: "text" }, file] });
  });

  test("names in its text what the provider cannot be shown", () => {
    expect(outputOf([sound])).toEqual({
      type: "text",
      value: "(The tool also returned the file a.wav, which this model cannot be shown.)",
    });
    expect(outputOf([png], { takesInResult: () => false })).toMatchObject({
      value: expect.stringContaining("an image"),
    });
    expect(outputOf([remote], { takesUrls: false })).toMatchObject({
      value: expect.stringContaining(remote.url),
    });
  });
});

describe("images and files", () => {
  test.each([
    [
      "a data URL",
      { type: "image", url: "data:image/png;base64,AAAA" },
      "image/png",
      { type: "data", data: "AAAA" },
    ],
    ["a URL", { type: "image", url: "https://a.example/b.webp" }, "image/webp", { type: "url" }],
    [
      "a URL without an extension",
      { type: "image", url: "https://a.example/b" },
      "image/jpeg",
      { type: "url" },
    ],
    [
      "a document",
      { type: "file", data: "data:application/pdf;base64,AAAA", filename: "a.pdf" },
      "application/pdf",
      { type: "data", data: "AAAA" },
    ],
    ["bare base64", { type: "file", data: "AAAA", filename: "a.wav" }, "audio/wav", { type: "data" }],
    [
      "a text file",
      { type: "file", data: Buffer.from("grüezi").toString("base64"), filename: "a.md" },
      "text/plain",
      { type: "text", text: "grüezi" },
    ],
  ] as const)("%s keeps its media type and bytes", (_what, part, mediaType, data) => {
    expect(encode(user(part))).toMatchObject([{ content: [{ type: "file", mediaType, data }] }]);
  });

  const JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/";
  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
  const WEBM = "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQI=";
  test.each([
    ["a type that does not exist", { type: "image", url: `data:image/jpg;base64,${JPEG}` }, "image/jpeg"],
    ["the type of another image", { type: "image", url: `data:image/png;base64,${JPEG}` }, "image/jpeg"],
    ["a generic type", { type: "image", url: `data:application/octet-stream;base64,${PNG}` }, "image/png"],
    ["no type", { type: "image", url: `data:;base64,${PNG}` }, "image/png"],
    ["the file name of another image", { type: "file", data: JPEG, filename: "a.png" }, "image/jpeg"],
    ["unknown bytes keep the type", { type: "image", url: "data:image/heic;base64,AAAA" }, "image/heic"],
    ["bytes of a video keep the type", { type: "image", url: `data:image/png;base64,${WEBM}` }, "image/png"],
    [
      "image bytes in a PDF keep the type",
      { type: "file", data: JPEG, filename: "a.pdf" },
      "application/pdf",
    ],
  ] as const)("the media type follows the bytes if they are a known image: %s", (_what, part, mediaType) => {
    expect(encode(user(part))).toMatchObject([
      { content: [{ type: "file", mediaType, data: { type: "data" } }] },
    ]);
  });

  test.each([
    { type: "image", url: "ftp://a.example/b.png" },
    { type: "image", url: "file:///etc/passwd" },
    { type: "image", url: "nonsense" },
    { type: "file", data: "not base64!" },
    { type: "image", url: "data:image/png;base64,%%%" },
  ] as const)("%p is rejected with a param, so that no other target is tried", (part) => {
    expect(() => encode(user(part))).toThrow(
      expect.objectContaining({ kind: "rejected", detail: { param: "messages" } }),
    );
  });

  test("an image as bare base64 is refused, even if it is long", () => {
    const url = "iVBORw0KGgo".repeat(1_000);
    expect(() => encode(user({ type: "image", url }))).toThrow("must be a data URL or an http(s) address");
  });

  test("a part type that only another wire has is refused by name", () => {
    expect(() => encode(user({ type: "other", name: "input_video" }))).toThrow(
      "This model does not take input_video parts.",
    );
  });

  test("a part that another target may accept is refused with its field", () => {
    const there = expect.objectContaining({ detail: { field: "messages" } });
    const image = { type: "image", url: "https://a.example/b.png" } as const;
    const film = { type: "file", mediaType: "video/mp4", data: "AAAA" } as const;
    expect(() => encode(user({ type: "other", name: "input_video" }))).toThrow(there);
    expect(() => encodeMessages([user(image)], { ...QUIRKS, takesUrls: false })).toThrow(there);
    expect(() => encodeMessages([user(film)], { ...QUIRKS, takesDocuments: false })).toThrow(there);
  });

  test("a URL is refused if the provider does not fetch URLs", () => {
    const part = { type: "image", url: "https://a.example/b.png" } as const;
    expect(() => encodeMessages([user(part)], { ...QUIRKS, takesUrls: false })).toThrow("data URLs");
  });
});
