import { describe, expect, test } from "bun:test";
import { decodeChat } from "./chat/chat-decode.ts";
import { decode as decodeResponse } from "./responses/testing.ts";
import { createCallSeal } from "./sealed/sealed-call-id.ts";

const callSeal = createCallSeal("a secret for tests");
const WORDS = "must be a public http or https address";
const INSIDE = "http://169.254.169.254/latest/meta-data";
const USER = { role: "user", content: "hi" };

const chat = (body: object, privateHosts?: ReadonlySet<string>) =>
  decodeChat({ model: "m", messages: [USER], ...body }, { maxMessages: 10, callSeal, privateHosts });
const said = (message: object) => chat({ messages: [{ ...USER, ...message }] });
const item = (given: object) => decodeResponse({ input: [USER, given] });

const picture = (url: string) => ({ type: "image_url", image_url: { url } });

/** Fields beside the content that we do not read. */
const FIELDS: readonly [string, object][] = [
  ["images[0]", { images: [INSIDE] }],
  ["images[1]", { images: ["https://a.example/a.png", "//localhost/a.png"] }],
  ["images[0].url", { images: [{ url: INSIDE }] }],
  ["images[0].image_url.url", { images: [picture(INSIDE)] }],
  ["videos[0]", { videos: ["https://10.0.0.1/a.mp4"] }],
  ["images[0][0]", { images: [[INSIDE]] }],
  ["images[0].image", { images: [{ image: INSIDE }] }],
  ["images[0].url.url", { images: [{ url: { url: INSIDE } }] }],
  ["input_audio.data", { input_audio: { data: INSIDE } }],
  ["input_audio.url", { input_audio: { url: INSIDE } }],
  ["image_url", { image_url: INSIDE }],
  ["image_url.url", { image_url: { url: "http://localhost/" } }],
];

/** The same, nested in lists of parts or in what contains such a list. */
const NESTED: readonly [string, object][] = [
  ["content_parts[0].image_url.url", { content_parts: [picture(INSIDE)] }],
  [
    "content_parts[0].image_url",
    { content_parts: [{ type: "input_image", image_url: "http:\\\\localhost\\a.png" }] },
  ],
  ["parts[0].source.url", { parts: [{ type: "image", source: { type: "url", url: INSIDE } }] }],
  ["parts[0].file_url", { parts: [{ type: "input_file", file_url: INSIDE }] }],
  ["parts[0].url", { parts: [{ type: "image_url", url: INSIDE }] }],
  ["parts[0].url", { parts: [{ type: "input_image", url: INSIDE }] }],
  ["parts[0].url", { parts: [{ type: "input_file", url: INSIDE }] }],
  ["parts[0].path", { parts: [{ type: "image", path: INSIDE }] }],
  ["parts[0].base64[0]", { parts: [{ type: "image", base64: [INSIDE] }] }],
  ["parts[0].file.url", { parts: [{ type: "file", file: { url: INSIDE } }] }],
  ["parts[0].input_audio.data", { parts: [{ type: "input_audio", input_audio: { data: INSIDE } }] }],
  [
    "annotations[0].file.content[0].image_url.url",
    { annotations: [{ type: "file", file: { hash: "a", content: [picture(INSIDE)] } }] },
  ],
];

describe("a private address in a field beside the content is refused with the field's path", () => {
  test.each([...FIELDS, ...NESTED])("%s of %j, in a message or an item", (field, fields) => {
    for (const role of ["system", "developer", "user", "assistant", "function"]) {
      expect(() => said({ role, ...fields })).toThrow(`messages[0].${field}: ${WORDS}`);
    }
    expect(() => said({ role: "tool", tool_call_id: "c", ...fields })).toThrow(`messages[0].${field}: `);
    for (const role of ["system", "user", "assistant"]) {
      expect(() => item({ role, content: "a", ...fields })).toThrow(`input[1].${field}: ${WORDS}`);
    }
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    expect(() => item({ ...call, ...fields })).toThrow(`input[1].${field}: `);
    expect(() => item({ type: "function_call_output", call_id: "c", output: "1", ...fields })).toThrow(field);
    expect(() => item({ type: "reasoning", summary: [], ...fields })).toThrow(`input[1].${field}: `);
  });

  test.each([...FIELDS, ...NESTED])("%s of %j, in a text part", (field, fields) => {
    const content = [{ type: "text", text: "a", ...fields }];
    for (const role of ["system", "user", "assistant"]) {
      expect(() => said({ role, content })).toThrow(`messages[0].content[0].${field}: ${WORDS}`);
      expect(() => item({ role, content })).toThrow(`input[1].content[0].${field}: ${WORDS}`);
    }
    const thinking = [{ type: "thinking", thinking: "a", ...fields }];
    expect(() => said({ role: "assistant", content: thinking })).toThrow(`content[0].${field}: ${WORDS}`);
  });

  test.each(FIELDS)("%s of %j, in the request itself", (field, fields) => {
    expect(() => chat(fields)).toThrow(`${field}: ${WORDS}`);
    expect(() => decodeResponse({ input: "hi", ...fields })).toThrow(`${field}: ${WORDS}`);
  });
});

/** Names of fields that hold the input or output of tools. */
const OF_TOOLS = ["arguments", "args", "function_call", "input", "output", "result", "tool_calls", "tools"];

describe("a private address is refused in fields named like a tool's input or output where no tool is called", () => {
  const pictures = [picture(INSIDE)];

  test.each(OF_TOOLS)("%s", (name) => {
    for (const role of ["user", "system", "developer"]) {
      expect(() => said({ role, [name]: pictures })).toThrow(
        `messages[0].${name}[0].image_url.url: ${WORDS}`,
      );
      expect(() => said({ role, metadata: { [name]: pictures } })).toThrow(
        `metadata.${name}[0].image_url.url: `,
      );
      expect(() => item({ role, content: "a", [name]: pictures })).toThrow(
        `input[1].${name}[0].image_url.url: `,
      );
    }
    const content = [{ type: "text", text: "a", [name]: pictures }];
    expect(() => said({ content })).toThrow(`content[0].${name}[0].image_url.url: ${WORDS}`);
    expect(() => item({ type: "reasoning", summary: [], [name]: pictures })).toThrow(`input[1].${name}[0].`);
  });

  test("a field of the wrong name in a call or in a result", () => {
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    expect(() => item({ ...call, input: pictures })).toThrow(`input[1].input[0].image_url.url: ${WORDS}`);
    const result = { type: "function_call_output", call_id: "c", output: "1" };
    expect(() => item({ ...result, input: pictures })).toThrow(`input[1].input[0].image_url.url: ${WORDS}`);
  });

  test("a text or a call id that is not a string", () => {
    const thinking = [{ type: "thinking", thinking: "a", text: pictures }];
    expect(() => said({ role: "assistant", content: thinking })).toThrow(
      `content[0].text[0].image_url.url: `,
    );
    expect(() => item({ type: "reasoning", summary: [], text: pictures })).toThrow(`input[1].text[0].`);
    expect(() => said({ tool_call_id: pictures })).toThrow(`messages[0].tool_call_id[0].image_url.url: `);
  });
});

describe("a private address is found in every spelling", () => {
  const many = "\t".repeat(50);
  test.each([
    "\u0001http://127.0.0.1/x",
    "\u0000 \u001f\nhttp://127.0.0.1/x",
    "\ufeff\u00a0http://127.0.0.1/x",
    `h${many}ttp://127.0.0.1/x`,
    `http${many.repeat(200)}://127.0.0.1/x`,
    "HT\r\nTP:127.0.0.1/x",
  ])("with characters that URL parsers ignore: %#", (url) => {
    for (const fields of [{ images: [url] }, { image_url: { url } }, { parts: [{ type: "image", url }] }]) {
      expect(() => said(fields)).toThrow(WORDS);
    }
    const source = { type: "url", url };
    for (const part of [{ image: url }, { source }, { image_url: url }, { image_url: { url } }]) {
      const content = [{ type: "image", ...part }];
      expect(() => said({ content })).toThrow(`messages[0].content[0].`);
      expect(() => item({ role: "user", content })).toThrow(WORDS);
    }
    const sound = { type: "input_audio", input_audio: { data: url, format: "wav" } };
    expect(() => said({ content: [sound] })).toThrow(`messages[0].content[0].input_audio.data: ${WORDS}`);
  });

  test.each([
    "//127.0.0.1/x",
    "/\\127.0.0.1/x",
    "http:\\\\127.0.0.1\\x",
    "http:/127.0.0.1",
    "http://a.example\\@127.0.0.1/",
    "http://127.0.0.1\\@a.example/",
    "http://me:word@127.0.0.1/",
    "http://2130706433/",
    "https://[::ffff:7f00:1]/",
  ])("%j, in a field beside the content", (url) => {
    expect(() => said({ images: [url] })).toThrow(`messages[0].images[0]: ${WORDS}`);
  });
});

test("more than 50,000 different hosts in one request are refused, however often each is named", () => {
  const images = Array.from({ length: 60_000 }, (_, at) => `https://a${at % 50_000}.example/${at}.png`);
  expect(() => said({ images: images.slice(0, 49_999).concat(images.slice(50_000, 59_000)) })).not.toThrow();
  expect(() => said({ images: [...images, "https://b.example/"] })).toThrow(
    "messages[0].images[60000]: must be at one of at most 50000 hosts",
  );
});

test("a private address that the operator has allowed is accepted", () => {
  const url = "http://pictures.internal/a.png";
  const hosts = new Set(["pictures.internal"]);
  expect(() => chat({ images: [url] }, hosts)).not.toThrow();
  expect(() => chat({ messages: [{ ...USER, images: [picture(url)] }] }, hosts)).not.toThrow();
});

describe("values that are not addresses of media to fetch are accepted", () => {
  const inside = { image_url: INSIDE };
  const citation = { type: "url_citation", url_citation: { url: "http://localhost/", title: "a" } };

  test.each<[string, object]>([
    ["a public image", { images: ["https://a.example/a.png", "data:image/png;base64,AA==", "/9j/4AAQ"] }],
    ["a long address", { image_url: `https://a.example/${"a".repeat(9_000)}`, images: ["http:/a.example/"] }],
    ["an address without a scheme", { images: ["//a.example/a.png", "\\\\a.example\\a.png"] }],
    ["an address with a user", { images: ["https://me:word@a.example/a.png"] }],
    [
      "bytes",
      { images: [`//uQxAAA${"AbCd".repeat(20)}`], parts: [{ type: "image", source: { data: "AA==" } }] },
    ],
    ["a path of an upload", { attachments: [{ type: "image", url: "/uploads/a.png" }] }],
    ["a blob URL", { parts: [{ type: "file", url: "blob:http://localhost:3000/1" }] }],
    ["a URL with another scheme", { images: ["s3://a/b", "gs://a/b", "ipfs://a", "cid:a", "attachment:a"] }],
    [
      "a path of a file",
      { metadata: { image_url: "sandbox:/mnt/a.png" }, images: ["C:\\a.png", "content://a/b", "a/../b"] },
    ],
    [
      "the location of a file",
      { parts: [{ type: "document", source: "/src/a.ts" }], file_url: "file:///a.ts" },
    ],
    [
      "a path field",
      {
        parts: [
          { type: "image", path: "/a.png" },
          { type: "file", path: INSIDE },
        ],
        path: INSIDE,
      },
    ],
    ["a citation", { annotations: [citation, { type: "file_citation", file_id: "file-1" }] }],
    [
      "the URL where something was found",
      { metadata: { source: "/src/a.ts", url: "http://localhost:3000/" } },
    ],
    ["an image's name", { image_url: "the first one", images: "two" }],
    ["null or an empty list", { image_url: null, images: [], annotations: null }],
    ["a text", { reasoning_details: [{ type: "reasoning.text", text: INSIDE, signature: "a" }] }],
    ["a tool's input and output as text", { input: INSIDE, output: INSIDE, arguments: INSIDE }],
  ])("%s: %j", (_, fields) => {
    expect(() => said(fields)).not.toThrow();
    expect(() => said({ role: "assistant", ...fields })).not.toThrow();
    expect(() => item({ role: "assistant", content: "a", ...fields })).not.toThrow();
  });

  test("more public images than the content may have", () => {
    const found = Array.from({ length: 5_001 }, (_, at) => ({ image_url: `https://a.example/${at}.png` }));
    expect(() => said({ search_results: found, images: found })).not.toThrow();
  });

  test("arguments of a call, and results as text", () => {
    const call = { id: "c", type: "function", function: { name: "f", arguments: inside } };
    const turn = { role: "assistant", content: null, tool_calls: [call] };
    const result = { role: "tool", tool_call_id: "c", content: JSON.stringify({ images: [INSIDE] }) };
    expect(() => chat({ messages: [USER, turn, result] })).not.toThrow();
    expect(() => item({ type: "function_call", call_id: "c", name: "f", arguments: inside })).not.toThrow();
    const invocations = { toolInvocations: [{ args: inside, result: inside }] };
    expect(() => said({ role: "assistant", ...invocations })).not.toThrow();
    expect(() => item({ role: "assistant", content: "a", ...invocations })).not.toThrow();
  });
});
