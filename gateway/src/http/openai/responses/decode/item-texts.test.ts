import { describe, expect, test } from "bun:test";
import { isContextManaged } from "../../managed-context.ts";
import { seals } from "../testing.ts";
import { decodeResponseRequest } from "./decode-request.ts";

type Json = Readonly<Record<string, unknown>>;

const TEXT = "A text that is long enough.";
const SHOWN = "short";
const CALL = { type: "function_call", call_id: "c1", name: "read", arguments: "{}" };

/** The input after the text of each result that is not fixed was replaced. */
function rewritten(input: readonly Json[], instructions?: string): readonly Json[] {
  const body = { model: "m", input, ...(instructions === undefined ? {} : { instructions }) };
  const { wire, messages } = decodeResponseRequest(body, { seals, maxItems: 100 }).prompt;
  if (wire === undefined) throw new Error("no wire");
  const changed = [...messages.keys()].filter((at) => {
    return messages[at]?.role === "tool" && wire.texts.isFixed?.(at) !== true;
  });
  const shown = messages.map((message) => {
    const parts = Array.isArray(message.content) ? message.content : null;
    const content = parts?.map((part) => (part.type === "text" ? { ...part, text: SHOWN } : part)) ?? SHOWN;
    return { ...message, content } as typeof message;
  });
  return wire.texts.rewrite(shown, changed)["input"] as readonly Json[];
}

describe("a rewritten text is written back to its item", () => {
  const ask = { role: "user", content: "Hello" };
  const output = { type: "function_call_output", call_id: "c1", status: "completed" };
  const image = { type: "input_image", image_url: "data:image/png;base64,AA==" };
  test.each<[string, Json, Json]>([
    ["a string", { ...output, output: TEXT }, { ...output, output: SHOWN }],
    [
      "a single part",
      { ...output, output: [{ type: "input_text", text: TEXT, more: 1 }] },
      { ...output, output: [{ type: "input_text", text: SHOWN, more: 1 }] },
    ],
    [
      "a part beside an image",
      { ...output, output: [image, { type: "input_text", text: TEXT }] },
      { ...output, output: [image, { type: "input_text", text: SHOWN }] },
    ],
  ])("%s", (_, given, wanted) => {
    expect(rewritten([ask, CALL, given, ask], "Be careful.")).toEqual([ask, CALL, wanted, ask]);
  });

  test("unless it is composed of several parts", () => {
    const parts = [
      { type: "input_text", text: TEXT },
      { type: "input_text", text: TEXT },
    ];
    const said = { type: "message", role: "assistant", content: TEXT };
    const input = [ask, { ...output, output: parts }, ask, said, CALL, said, output];
    const items = [...input.slice(0, -1), { ...output, output: TEXT }];
    expect(rewritten(items)).toEqual([...items.slice(0, -1), { ...output, output: SHOWN }]);
  });
});

test("a request for truncation or compaction by the server is recognised", () => {
  const compacted = { input: [{ type: "compaction", encrypted_content: "x" }] };
  for (const body of [
    { truncation: "auto" },
    { context_management: [{}] },
    { transforms: ["middle-out"] },
    { truncate_prompt_tokens: 100 },
    { prompt_truncate_len: 100 },
    compacted,
  ])
    expect(isContextManaged(body)).toBe(true);
  for (const body of [
    { truncation: "disabled" },
    { context_management: null },
    { transforms: [] },
    { prompt_truncate_len: null },
    { input: "x" },
  ])
    expect(isContextManaged(body)).toBe(false);
});
