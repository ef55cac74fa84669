import { describe, expect, test } from "bun:test";
import { decodeContent } from "./chat/chat-part.ts";
import { decodeContent as decodeResponseContent } from "./responses/decode-content.ts";
import { decode } from "./responses/testing.ts";

const USER = { role: "user", content: "hi" };
const TEXT = "data:text/plain;base64,aGk=";

const chat = (part: object) => decodeContent([part], "messages[0].content");
const response = (part: object) => decodeResponseContent([part], "input[0].content");
const items = (...more: object[]) => decode({ input: [USER, ...more] }).prompt.wire?.body["input"];

const refused = (field: string) =>
  `${field}: must be absent: nothing is kept here, so send what it stands for`;

describe("what a provider would look up among files that are not the caller's is refused by its field", () => {
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
  ])("a part of a chat: %s of %j", (field, part) => {
    expect(() => chat(part)).toThrow(refused(`messages[0].content[0].${field}`));
  });

  test.each<[string, object]>([
    ["file_id", { type: "input_file", file_id: "file-1" }],
    ["file_id", { type: "input_image", file_id: "file-1", image_url: "https://a.example/a.png" }],
    ["file.file_id", { type: "input_thing", file: { file_id: "file-1" } }],
  ])("a part of a response: %s of %j", (field, part) => {
    expect(() => response(part)).toThrow(refused(`input[0].content[0].${field}`));
  });

  const screenshot = (output: object) => ({ type: "computer_call_output", call_id: "c1", output });

  test.each<[string, object]>([
    ["output.file_id", screenshot({ type: "computer_screenshot", file_id: "file-1" })],
    ["container_id", { type: "code_interpreter_call", id: "ci_1", container_id: "cntr_1", code: "1" }],
    ["vector_store_ids", { type: "file_search_thing", vector_store_ids: ["vs_1"] }],
    ["results[0].file_id", { type: "file_search_call", queries: ["a"], results: [{ file_id: "file-1" }] }],
  ])("an item: %s of %j", (field, item) => {
    expect(() => items(item)).toThrow(refused(`input[1].${field}`));
  });

  test("a result of a call that no provider of ours can be told of, which nobody reads here", () => {
    const call = { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } };
    const result = { type: "function_call_output", call_id: "c1" };
    const output = [{ type: "input_image", file_id: "file-1" }];
    expect(() => items(call, { ...result, output })).toThrow(refused("input[2].output[0].file_id"));
    expect(() => items(call, { ...result, output: "1" })).not.toThrow();
  });
});

test("an address inside is refused in parts and items of kinds that nobody reads here", () => {
  const inside = "file:///etc/passwd";
  const words = "must be a public http or https address";
  expect(() => chat({ type: "video_url", video_url: { url: inside } })).toThrow(`video_url.url: ${words}`);
  const output = { type: "computer_screenshot", image_url: inside };
  expect(() => items({ type: "computer_call_output", call_id: "c1", output })).toThrow(
    `input[1].output.image_url: ${words}`,
  );
});

test.each<[string, object]>([
  [
    "a screenshot",
    { type: "computer_call_output", output: { image_url: "data:image/png;base64,AA==", file_id: null } },
  ],
  ["a search", { type: "web_search_call", action: { type: "open_page", url: "http://localhost/" } }],
  ["arguments", { type: "tool_search_call", arguments: { file_id: "the caller's own" } }],
  [
    "a list of tools",
    { type: "mcp_list_tools", tools: [{ input_schema: { examples: [{ file_id: "x" }] } }] },
  ],
  [
    "tools",
    { type: "additional_tools", tools: [{ type: "function", name: "f", parameters: { file_id: "x" } }] },
  ],
  ["a schema", { type: "thing", schema: { properties: { file_id: { type: "string" } } } }],
])("what only speaks of such things goes on: %s", (_, item) => {
  expect(items(item)).toContain(item);
});
