import { describe, expect, test } from "bun:test";
import { decodeContent } from "./chat/chat-part.ts";
import { MediaAddresses } from "./media-address.ts";
import { decodeContent as decodeResponseContent } from "./responses/decode/decode-content.ts";
import { decode } from "./responses/testing.ts";

const USER = { role: "user", content: "hi" };
const TEXT = "data:text/plain;base64,aGk=";

const chat = (part: object) => decodeContent([part], "messages[0].content", new MediaAddresses());
const response = (part: object) => decodeResponseContent([part], "input[0].content", new MediaAddresses());
const items = (...more: object[]) => decode({ input: [USER, ...more] }).prompt.wire?.body["input"];

const refused = (field: string) =>
  `${field}: must be absent: nothing is stored here, so send what it refers to`;

describe("a reference to a file stored at a provider is refused with the field's path", () => {
  test.each<[string, object]>([
    ["file.file_id", { type: "file", file: { file_id: "file-1" } }],
    ["file.file_id", { type: "file", file: { file_id: "file-1", file_data: TEXT } }],
    ["file_id", { type: "file", file_id: "file-1", file: { file_data: TEXT } }],
    ["file.file_uri", { type: "file", file: { file_data: TEXT, file_uri: "gs://a/b" } }],
    ["image_url.file_id", { type: "image_url", image_url: { url: "https://a.example/a.png", file_id: "f" } }],
    ["image_file.file_id", { type: "image_file", image_file: { file_id: "file-1" } }],
    ["source.file_id", { type: "document", source: { type: "file", file_id: "file-1" } }],
    ["file_id", { type: "input_file", file_id: "file-1" }],
    ["file_uri", { type: "media", file_uri: "gs://a/b", mime_type: "application/pdf" }],
    ["parts[0][0].file_id", { type: "document", parts: [[{ file_id: "file-1" }]] }],
    ["sources[1].file_id", { type: "document", sources: ["a", { file_id: "file-1" }] }],
  ])("in a part of chat completions: %s of %j", (field, part) => {
    expect(() => chat(part)).toThrow(refused(`messages[0].content[0].${field}`));
  });

  test.each<[string, object]>([
    ["file_id", { type: "input_file", file_id: "file-1" }],
    ["file_id", { type: "input_image", file_id: "file-1", image_url: "https://a.example/a.png" }],
    ["file.file_id", { type: "input_thing", file: { file_id: "file-1" } }],
  ])("in a part of responses: %s of %j", (field, part) => {
    expect(() => response(part)).toThrow(refused(`input[0].content[0].${field}`));
  });

  const screenshot = (output: object) => ({ type: "computer_call_output", call_id: "c1", output });

  test.each<[string, object]>([
    ["output.file_id", screenshot({ type: "computer_screenshot", file_id: "file-1" })],
    ["container_id", { type: "code_interpreter_thing", id: "ci_1", container_id: "cntr_1", code: "1" }],
    ["vector_store_ids", { type: "file_search_thing", vector_store_ids: ["vs_1"] }],
    ["results[0].file_id", { type: "file_search_thing", results: [{ file_id: "file-1" }] }],
  ])("in an item: %s of %j", (field, item) => {
    expect(() => items(item)).toThrow(refused(`input[1].${field}`));
  });

  test("in the result of a call that is passed on unread", () => {
    const call = { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } };
    const result = { type: "function_call_output", call_id: "c1" };
    const output = [{ type: "input_image", file_id: "file-1" }];
    expect(() => items(call, { ...result, output })).toThrow(refused("input[2].output[0].file_id"));
    expect(() => items(call, { ...result, output: "1" })).not.toThrow();
  });
});

describe("a private address or a local file is refused with the field's path", () => {
  const words = "must be a public http or https address";
  const inside = "http://169.254.169.254/latest/meta-data";
  const store = "https://generativelanguage.googleapis.com/v1beta/files/abc";

  test.each<[string, object]>([
    ["input_audio.data", { type: "input_audio", input_audio: { data: inside, format: "wav" } }],
    ["input_audio.data", { type: "input_audio", input_audio: { data: "/etc/passwd", format: "wav" } }],
    ["input_audio.data", { type: "input_audio", input_audio: { data: store, format: "mp3" } }],
    ["data", { type: "input_audio", data: inside, format: "wav" }],
    ["image[0][0]", { type: "image", image: [[inside]] }],
    ["image[1][0][1]", { type: "image", image: ["https://a.example/", [["https://a.example/", inside]]] }],
    ["image_url[0][0]", { type: "image_url", image_url: [["http:\\\\localhost\\a.png"]] }],
    ["path", { type: "image", path: inside }],
    ["path[0][0]", { type: "audio", path: [[inside]] }],
    ["path", { type: "video", path: "/etc/passwd" }],
    ["base64", { type: "image", base64: inside }],
    ["image", { type: "image", image: "file:///etc/passwd" }],
    ["image", { type: "image", image: " fi\tle:/etc/passwd" }],
    ["image", { type: "image", image: "/etc/passwd" }],
    ["image.url", { type: "image", image: { url: inside } }],
    ["audio", { type: "audio", audio: "/etc/passwd" }],
    ["url", { type: "image", url: inside }],
    ["url[0]", { type: "video", url: [inside] }],
    ["source.url", { type: "image", source: { type: "url", url: inside } }],
    ["source", { type: "document", source: inside }],
    ["video[1]", { type: "video", video: ["https://a.example/1.jpg", "http://10.0.0.1/2.jpg"] }],
    ["video_url[0]", { type: "video_url", video_url: ["file:///etc/passwd"] }],
    ["video_url.url[0]", { type: "video_url", video_url: { url: ["file:///etc/passwd"] } }],
    ["video_url[0].url", { type: "video_url", video_url: [{ url: "etc/../passwd" }] }],
  ])("%s of %j", (field, part) => {
    expect(() => chat(part)).toThrow(`messages[0].content[0].${field}: ${words}`);
    expect(() => response(part)).toThrow(`input[0].content[0].${field}: ${words}`);
  });

  test.each<[string, object]>([
    ["audio", { type: "input_audio", input_audio: { data: "UklGRiQAAABXQVZF", format: "wav" } }],
    [
      "a public image",
      { type: "image", image: "https://a.example/a.png", url: "data:image/png;base64,AA==" },
    ],
    ["bare base64", { type: "image", image: "/9j/4AAQ", source: { type: "base64", data: "AA==" } }],
    ["frames", { type: "video", video: ["https://a.example/1.jpg", "data:,a"] }],
    ["words", { type: "image", image: "a cat, asleep", url: null }],
    ["words with a colon", { type: "video", video: "Note: it is long" }],
    ["a text", { type: "document", source: { type: "text", data: "/etc/passwd is a file" } }],
    ["an address of another thing", { type: "link", url: "http://localhost/" }],
  ])("but the part is accepted if it has %s", (_, part) => {
    expect(() => chat(part)).not.toThrow();
    expect(() => response(part)).not.toThrow();
  });
});

test("a local file is refused in parts and items of unknown types", () => {
  const inside = "file:///etc/passwd";
  const words = "must be a public http or https address";
  expect(() => chat({ type: "video_url", video_url: { url: inside } })).toThrow(`video_url.url: ${words}`);
  const output = { type: "computer_screenshot", image_url: inside };
  expect(() => items({ type: "computer_call_output", call_id: "c1", output })).toThrow(
    `input[1].output.image_url: ${words}`,
  );
});

describe("an item of a provider's own tool, sent back by the client", () => {
  test("is dropped if it names a container", () => {
    const call = { type: "code_interpreter_call", id: "ci_1", code: "1", container_id: "cntr_1" };
    expect(items(call)).toEqual([USER]);
    expect(items({ ...call, container_id: null })).toContainEqual({ ...call, container_id: null });
  });

  test("is passed on without its container if it is a shell call, and dropped if it names a file", () => {
    const call = { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } };
    const output = { type: "shell_call_output", call_id: "c1", output: [{ stdout: "a" }] };
    const environment = { type: "container_reference", container_id: "cntr_1" };
    expect(items({ ...call, environment }, output)).toEqual([USER, call, output]);
    const local = { ...call, environment: { type: "local" } };
    expect(items(local, output)).toEqual([USER, local, output]);
    expect(items({ ...call, environment, file_id: "file-1" })).toEqual([USER]);
  });

  test("is refused if it has a local file's address", () => {
    const picture = { type: "image", url: "file:///etc/passwd" };
    expect(() => items({ type: "code_interpreter_call", outputs: [picture] })).toThrow(
      "input[1].outputs[0].url: must be a public http or https address",
    );
  });
});

test.each<[string, object]>([
  ["a file search", { type: "file_search_call", queries: ["a"], results: [{ file_id: "file-1" }] }],
  ["an MCP call", { type: "mcp_call", name: "f", output: { structured: { file_id: "x" } } }],
  ["a hosted tool call", { type: "hosted_tool_call", name: "f", input: { file_id: "x" } }],
  [
    "a screenshot",
    { type: "computer_call_output", output: { image_url: "data:image/png;base64,AA==", file_id: null } },
  ],
  ["a web search", { type: "web_search_call", action: { type: "open_page", url: "http://localhost/" } }],
  [
    "the arguments of a tool search",
    { type: "tool_search_call", arguments: { file_id: "the caller's own" } },
  ],
  [
    "a list of MCP tools",
    { type: "mcp_list_tools", tools: [{ input_schema: { examples: [{ file_id: "x" }] } }] },
  ],
  [
    "additional tools",
    { type: "additional_tools", tools: [{ type: "function", name: "f", parameters: { file_id: "x" } }] },
  ],
  ["a schema", { type: "thing", schema: { properties: { file_id: { type: "string" } } } }],
])("an item that only mentions a file id or an address is passed on: %s", (_, item) => {
  expect(items(item)).toContain(item);
});
