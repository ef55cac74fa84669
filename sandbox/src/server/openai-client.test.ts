import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Canvas, createCanvas, loadImage } from "@napi-rs/canvas";
import OpenAI from "openai";
import { KEY, startTestServer, type TestServer } from "./testing.ts";

let server: TestServer;
let client: OpenAI;
beforeAll(() => {
  server = startTestServer();
  client = new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(() => server.close());

const model = "sandbox-chat";
const saying = (content: string) => ({ model, messages: [{ role: "user" as const, content }] });
const tools: OpenAI.ChatCompletionTool[] = ["look", "listen"].map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { where: { type: "string" } } } },
}));

/** The error that the client makes of an answer. */
async function errorOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (failed: unknown) => failed,
  );
  if (!(error instanceof OpenAI.APIError)) throw new Error("no error of the API");
  return error;
}

describe("OpenAI's own client", () => {
  test("lists the models and finds one of them", async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(["sandbox-chat", "sandbox-image", "sandbox-voice", "sandbox-video", "sandbox-music"]);
    expect((await client.models.retrieve("sandbox-voice")).object).toBe("model");
    expect(await errorOf(client.models.retrieve("gpt-9"))).toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });

  test("chats in one piece", async () => {
    const reply = await client.chat.completions.create(saying("What is 12 times 12?"));
    expect(reply).toMatchObject({
      object: "chat.completion",
      model,
      id: expect.stringMatching(/^chatcmpl-/),
    });
    expect(reply.choices).toMatchObject([{ index: 0, finish_reason: "stop", logprobs: null }]);
    expect(reply.choices[0]?.message).toMatchObject({ role: "assistant", refusal: null });
    expect(reply.choices[0]?.message.content).toContain("144");
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = reply.usage ?? {};
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
  });

  test("streams, with the usage at the end where it is asked for", async () => {
    const asked = { ...saying("Tell me of boats."), stream: true as const };
    const stream = await client.chat.completions.create({
      ...asked,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
    const whole = await client.chat.completions.create(saying("Tell me of boats."));
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(whole.choices[0]?.message.content ?? "");
    for await (const chunk of await client.chat.completions.create(asked))
      expect(chunk.usage).toBeUndefined();
  });

  test("collects parallel calls from a stream, and sends their results", async () => {
    const prompt = '[sandbox:call=look {"where":"up"}][sandbox:call=listen {"where":"there"}]';
    const runner = client.chat.completions.stream({ ...saying(prompt), tools });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    const message = choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(
      calls.map((call) => call.type === "function" && [call.function.name, call.function.arguments]),
    ).toEqual([
      ["look", '{"where":"up"}'],
      ["listen", '{"where":"there"}'],
    ]);
    const results = calls.map(({ id }) => ({
      role: "tool" as const,
      tool_call_id: id,
      content: "a seagull",
    }));
    const reply = await client.chat.completions.create({
      model,
      tools,
      messages: [{ role: "user", content: prompt }, ...(message ? [message] : []), ...results],
    });
    expect(reply.choices[0]?.message.content).toContain("a seagull");
  });

  test.each<[string, Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>, string[]]>([
    ["required", { tool_choice: "required" }, ["look"]],
    ["by name", { tool_choice: { type: "function", function: { name: "listen" } } }, ["listen"]],
    ["none", { tool_choice: "none" }, []],
    [
      "among those allowed",
      {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "listen" } }] },
        },
      },
      ["listen"],
    ],
  ])("chooses tools: %s", async (_name, choice, names) => {
    const reply = await client.chat.completions.create({ ...saying("hm"), tools, ...choice });
    const calls = reply.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.type === "function" && call.function.name)).toEqual(names);
  });

  test("gets JSON by a schema, parsed", async () => {
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, size: { type: "integer" } },
      required: ["name", "size"],
      additionalProperties: false,
    };
    const reply = await client.chat.completions.create({
      ...saying("A boat."),
      response_format: { type: "json_schema", json_schema: { name: "boat", strict: true, schema } },
    });
    const boat = JSON.parse(reply.choices[0]?.message.content ?? "");
    expect([typeof boat.name, Number.isInteger(boat.size)]).toEqual(["string", true]);
  });

  test("sends pictures, sound and files, and every kind of message", async () => {
    const reply = await client.chat.completions.create({
      model,
      max_completion_tokens: 5,
      stop: "never",
      messages: [
        { role: "developer", content: [{ type: "text", text: "Be kind." }] },
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "text", text: "Hello." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "Tell me much about this." },
            { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
            { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
            { type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,aGk=" } },
          ],
        },
      ],
    });
    expect(reply.choices[0]?.finish_reason).toBe("length");
    expect(reply.usage?.completion_tokens).toBeLessThanOrEqual(5);
  });

  test("sees a cut stream as one that broke off", async () => {
    const stream = await client.chat.completions.create({
      ...saying("[sandbox:cut=after:3] hello"),
      stream: true,
    });
    const words: string[] = [];
    const reading = (async () => {
      for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? "");
    })();
    await expect(reading).rejects.toThrow();
    // Of the three words, its stream may have forgotten those that it had not handed out.
    expect(words.length).toBeLessThanOrEqual(3);
  });

  test.each([
    ["[sandbox:error=429]", OpenAI.RateLimitError],
    ["[sandbox:error=401]", OpenAI.AuthenticationError],
    ["[sandbox:error=422]", OpenAI.UnprocessableEntityError],
    ["[sandbox:fail]", OpenAI.InternalServerError],
  ])("gets the error of %s", async (prompt, kind) => {
    expect(await errorOf(client.chat.completions.create(saying(prompt)))).toBeInstanceOf(kind);
  });

  test.each<[string, object]>([
    ["messages", { messages: [] }],
    ["messages[0].role", { messages: [{ role: "robot", content: "x" }] }],
    ["messages[0].content[0]", { messages: [{ role: "user", content: [{ type: "smell" }] }] }],
    ["response_format", { response_format: { type: "grammar" } }],
    ["tools[0]", { tools: [{ type: "web_search" }] }],
    ["tool_choice", { tools, tool_choice: { type: "function", function: { name: "no" } } }],
    ["max_tokens", { max_tokens: 0 }],
    ["n", { n: 1.5 }],
    ["stop", { stop: [1] }],
    ["stream", { stream: "yes" }],
  ])("is told that %s is at fault", async (param, more) => {
    const asked = { ...saying("hi"), ...more } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    expect(await errorOf(client.chat.completions.create(asked))).toMatchObject({ status: 400, param });
  });

  test("draws, the same picture for the same seed", async () => {
    const draw = async (seed: number) => {
      const asked = { model: "sandbox-image", prompt: "a boat", size: "1536x1024" as const, seed };
      const { data = [] } = await client.images.generate(asked);
      return data[0]?.b64_json ?? "";
    };
    const [first, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect(Buffer.from(first, "base64").toString("latin1", 1, 4)).toBe("PNG");
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test("is told where a picture lies", async () => {
    const asked = { model: "sandbox-image", prompt: "a boat", response_format: "url" as const };
    const { data = [] } = await client.images.generate({ ...asked, output_format: "jpeg" });
    const file = await fetch(data[0]?.url ?? "");
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  });

  test("changes a picture where its mask is transparent, and nothing else of it", async () => {
    const given = createCanvas(64, 32);
    given.getContext("2d").fillStyle = "#ff0000";
    given.getContext("2d").fillRect(0, 0, 64, 32);
    const file = (canvas: Canvas, name: string) =>
      new File([new Uint8Array(canvas.toBuffer("image/png"))], name, { type: "image/png" });
    const mask = createCanvas(64, 32);
    mask.getContext("2d").fillRect(0, 0, 32, 32);
    const asked = { model: "sandbox-image", prompt: "a boat", n: 1, image: file(given, "a.png") };
    const { data = [] } = await client.images.edit({ ...asked, mask: file(mask, "b.png") });
    const made = await loadImage(Buffer.from(data[0]?.b64_json ?? "", "base64"));
    const canvas = createCanvas(64, 32);
    canvas.getContext("2d").drawImage(made, 0, 0);
    const at = (x: number) => [...canvas.getContext("2d").getImageData(x, 16, 1, 1).data];
    expect([made.width, made.height, at(8)]).toEqual([64, 32, [255, 0, 0, 255]]);
    expect(at(48)).not.toEqual([255, 0, 0, 255]);
    const corner = await client.images.edit({ ...asked, prompt: "a boat" });
    expect(corner.data?.[0]?.b64_json).not.toBe(data[0]?.b64_json);
    const many = client.images.edit({ ...asked, image: [file(given, "a.png"), file(given, "c.png")] });
    expect(await errorOf(many)).toMatchObject({ status: 400, param: "image" });
  });

  test("is read to, in a voice of ours or of OpenAI's", async () => {
    const speak = async (voice: string) => {
      const sound = await client.audio.speech.create({ model: "sandbox-voice", voice, input: "Hello." });
      return Buffer.from(await sound.arrayBuffer());
    };
    const ours = await speak("ava");
    expect(ours.length).toBeGreaterThan(1_000);
    expect(await speak("alloy")).toEqual(ours);
    expect((await errorOf(speak("nobody"))).message).toContain("voices are ava");
  });

  test("is told that a model is called elsewhere, or by another name", async () => {
    const elsewhere = await errorOf(
      client.chat.completions.create({ ...saying("hi"), model: "sandbox-voice" }),
    );
    expect(elsewhere).toMatchObject({ status: 400, param: "model" });
    const other = await errorOf(client.chat.completions.create({ ...saying("hi"), model: "gpt-9" }));
    expect(other).toMatchObject({ status: 404, code: "model_not_found" });
  });

  test("is refused without the key", async () => {
    const stranger = new OpenAI({ apiKey: "secret-key-2", baseURL: `${server.url}/v1`, maxRetries: 0 });
    expect(await errorOf(stranger.models.list())).toMatchObject({ status: 401, code: "invalid_api_key" });
  });
});
