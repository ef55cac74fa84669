import { z } from "zod";
import type { ApiRoute } from "../../../gateway/src/http/index.ts";

/** Seeds for what the documentation's examples leave out: every kind of message, content part, tool and item once. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PARAMETERS = {
  type: "object",
  properties: {
    city: { type: "string", pattern: "^[a-z]{1,9}$" },
    days: { type: "array", items: { $ref: "#" } },
  },
  required: ["city"],
};
const FUNCTION = { type: "function", function: { name: "weather", parameters: PARAMETERS, strict: true } };
const FORMAT = { type: "json_schema", json_schema: { name: "answer", schema: PARAMETERS, strict: true } };

const RICH: Readonly<Record<string, readonly object[]>> = {
  "/v1/chat/completions": [
    {
      messages: [
        { role: "system", content: "Be short." },
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "image_url", image_url: { url: PIXEL, detail: "low" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"rome"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "sunny" },
      ],
      ...{
        tools: [FUNCTION, { type: "custom", custom: { name: "sh", format: { type: "text" } } }],
        tool_choice: "auto",
      },
      ...{ parallel_tool_calls: true, temperature: 0.5, top_p: 1, n: 1, stop: ["x"], seed: 1, user: "u" },
      ...{
        logit_bias: { "5": 1 },
        reasoning_effort: "low",
        metadata: { a: "b" },
        stream_options: { include_usage: true },
      },
    },
    {
      messages: [{ role: "user", content: "As JSON." }],
      response_format: FORMAT,
      max_completion_tokens: 50,
      stream: true,
    },
    {
      messages: [{ role: "user", content: "f" }],
      functions: [{ name: "f", parameters: {} }],
      function_call: { name: "f" },
    },
  ],
  "/v1/responses": [
    {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Hi" },
            { type: "input_image", image_url: PIXEL },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc" },
        { type: "function_call", call_id: "call_1", name: "weather", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "sunny" },
      ],
      ...{
        instructions: "Be short.",
        tools: [{ type: "function", name: "weather", parameters: PARAMETERS }],
      },
      ...{
        tool_choice: "auto",
        text: { format: { type: "json_object" } },
        reasoning: { effort: "low" },
        store: false,
      },
      ...{ include: ["reasoning.encrypted_content"], truncation: "auto", metadata: { a: "b" }, stream: true },
    },
    {
      input: "Hello",
      tools: [
        { type: "namespace", name: "n", tools: [{ type: "function", name: "f" }] },
        { type: "web_search" },
      ],
    },
  ],
};

export type RouteSeed = {
  /** Valid bodies, without their model. */
  readonly bodies: readonly object[];
  /** Every field of the schema, whether or not a body sends it. */
  readonly fields: readonly string[];
  readonly parameters: readonly string[];
};

/** The starting point for fuzzing a route, taken from its documentation. */
export function seedOf(route: ApiRoute): RouteSeed {
  const { body, parameters = [] } = route.docs;
  const schema = body
    ? (z.toJSONSchema(body.schema, { io: "input", unrepresentable: "any" }) as { properties?: object })
    : {};
  return {
    bodies: body ? [body.example as object, ...(RICH[route.path] ?? [])] : [],
    fields: Object.keys(schema.properties ?? {}),
    parameters: parameters.filter((each) => each.in === "query").map((each) => each.name),
  };
}
