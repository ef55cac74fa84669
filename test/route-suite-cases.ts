import { publishTestAsset } from "./published-asset.ts";
import type { RouteCases, WrongField } from "./route-case.ts";
import { MEDIA_CASES } from "./route-suite-media.ts";
import { VIDEO_CASES } from "./route-suite-video.ts";

const CHAT = { model: "sandbox-chat", messages: [{ role: "user", content: "[sandbox:echo] hello" }] };
const RESPONSE = { model: "sandbox-chat", input: "[sandbox:echo] hello" };
const LIMIT_SAYS = "limit: must be a whole number from 1 to 200";
const TOKENS_SAYS = "max_tokens: must be a whole number";

/**
 * Models that are unknown, misspelled or of another type, and bad values of headers that every spending call may carry.
 */
function wrongOnEveryTextRoute(good: Readonly<Record<string, unknown>>, statusOfModel: number): WrongField[] {
  return [
    ...["gpt", "SANDBOX-CHAT", "sandbox-chat ", "sandbox-image"].map((model) => ({
      name: `the model ${JSON.stringify(model)}`,
      body: { ...good, model },
      status: statusOfModel,
      says: `model: ${model.replace(" ", "?")} is `,
    })),
    {
      name: "an Idempotency-Key with a space",
      headers: { "idempotency-key": "a b" },
      status: 400,
      says: "Idempotency-Key: must be",
    },
    {
      name: "an unknown X-Efficiency",
      headers: { "x-efficiency": "x" },
      status: 400,
      says: "X-Efficiency: must be",
    },
  ];
}

const ASSETS_PATH = "/functions/v1/api-v1-assets";

/** Whatever is not an asset of the caller is simply missing; the message does not reveal why. */
function wrongAssetIds(): WrongField[] {
  const ids = [
    "",
    "x",
    "%00",
    "..%2f..%2fetc%2fpasswd",
    "1%20or%201=1",
    "0190e3c2-0000-7000-8000-000000000000",
    "x".repeat(10_000),
  ];
  return ids.map((id) => ({
    name: `the asset ${id.slice(0, 40)}`,
    query: `asset_id=${id}`,
    status: 404,
    says: "asset_id: there is no such asset",
  }));
}

/** One entry per route, by method and path; a route without one fails the suite. */
export const CASES: Readonly<Record<string, RouteCases>> = {
  ...MEDIA_CASES,
  ...VIDEO_CASES,
  "POST /functions/v1/api-v1-chat": {
    good: { path: "/functions/v1/api-v1-chat", body: CHAT },
    wrong: [
      ...[0, -1, 1.5, "5", 2 ** 31, 2 ** 53].map((value) => ({
        name: `max_tokens ${JSON.stringify(value)}`,
        body: { ...CHAT, max_tokens: value },
        status: 400,
        says: TOKENS_SAYS,
      })),
      { name: "stream as text", body: { ...CHAT, stream: "true" }, status: 400, says: "stream: must be" },
      { name: "no messages", body: { ...CHAT, messages: [] }, status: 400, says: "messages: must be a list" },
      {
        name: "the role tool",
        body: { ...CHAT, messages: [{ role: "tool", content: "x" }] },
        status: 400,
        says: "messages[0].role: must be one of",
      },
      ...wrongOnEveryTextRoute(CHAT, 403),
    ],
  },
  "GET /functions/v1/api-v1-models": {
    good: { path: "/functions/v1/api-v1-models" },
    wrong: [
      { name: "an unknown type", query: "type=x", status: 400, says: "type: must be one of text, image" },
      { name: "two types", query: "type=text&type=image", status: 400, says: "type: must be given once" },
    ],
  },
  "GET /functions/v1/api-v1-usage": {
    good: { path: "/functions/v1/api-v1-usage" },
    otherQueries: ["view=balance"],
    wrong: [
      { name: "limit -1", query: "limit=-1", status: 400, says: LIMIT_SAYS },
      { name: "limit 201", query: "limit=201", status: 400, says: LIMIT_SAYS },
      { name: "limit NUL", query: "limit=%00", status: 400, says: LIMIT_SAYS },
      { name: "two limits", query: "limit=1&limit=2", status: 400, says: "limit: must be given once" },
      { name: "days 0", query: "days=0", status: 400, says: "days: must be a whole number from 1 to 90" },
      { name: "days 91", query: "days=91", status: 400, says: "days: must be a whole number from 1 to 90" },
      {
        name: "an unknown view",
        query: "view=all",
        status: 400,
        says: "view: must be one of balance, usage",
      },
    ],
  },
  "GET /functions/v1/api-v1-assets": {
    good: { path: ASSETS_PATH },
    wrong: [
      ...wrongAssetIds(),
      ...["0", "101", "-1", "1.5", "%00", "x"].map((limit) => ({
        name: `limit ${limit}`,
        query: `limit=${limit}`,
        status: 400,
        says: "limit: must be a whole number from 1 to 100",
      })),
      { name: "two limits", query: "limit=1&limit=2", status: 400, says: "limit: must be given once" },
      ...["", "x", "%00", "MTcwMC4wMTkwLmFiYw", "x".repeat(10_000)].map((cursor) => ({
        name: `the cursor ${cursor.slice(0, 20)}`,
        query: `cursor=${cursor}`,
        status: 400,
        says: "cursor: must be",
      })),
    ],
  },
  "DELETE /functions/v1/api-v1-assets": {
    good: {
      path: ASSETS_PATH,
      query: async (gateway, own) => `asset_id=${(await publishTestAsset(gateway, own)).id}`,
    },
    wrong: [
      ...wrongAssetIds(),
      { name: "no asset_id", query: "x=1", status: 400, says: "asset_id: must be given" },
      {
        name: "two asset_ids",
        query: "asset_id=a&asset_id=b",
        status: 400,
        says: "asset_id: must be given once",
      },
    ],
  },
  "POST /v1/chat/completions": {
    good: { path: "/v1/chat/completions", body: CHAT },
    wrong: [
      ...["max_tokens", "max_completion_tokens"].flatMap((field) =>
        [0, -1, 1.5, "5", 2 ** 31, 2 ** 53].map((value) => ({
          name: `${field} ${JSON.stringify(value)}`,
          body: { ...CHAT, [field]: value },
          status: 400,
          says: `${field}: must be a whole number`,
        })),
      ),
      { name: "stream as text", body: { ...CHAT, stream: "true" }, status: 400, says: "stream: must be" },
      { name: "no messages", body: { ...CHAT, messages: [] }, status: 400, says: "messages: must be a list" },
      {
        name: "content of another type",
        body: { ...CHAT, messages: [...CHAT.messages, { role: "user", content: 5 }] },
        status: 400,
        says: "messages[1].content: must be",
      },
      {
        name: "10,000 tools",
        body: { ...CHAT, tools: Array(10_000).fill({ type: "function", function: { name: "f" } }) },
        status: 400,
        says: "tools: must be a list of at most",
      },
      { name: "129 answers", body: { ...CHAT, n: 129 }, status: 400, says: "n: must be a whole number" },
      ...wrongOnEveryTextRoute(CHAT, 404),
    ],
  },
  "POST /v1/responses": {
    good: { path: "/v1/responses", body: RESPONSE },
    wrong: [
      ...[0, -1, 1.5, "5", 2 ** 31, 2 ** 53].map((value) => ({
        name: `max_output_tokens ${JSON.stringify(value)}`,
        body: { ...RESPONSE, max_output_tokens: value },
        status: 400,
        says: "max_output_tokens: must be a whole number",
      })),
      { name: "stream as text", body: { ...RESPONSE, stream: "true" }, status: 400, says: "stream: must be" },
      { name: "no items", body: { ...RESPONSE, input: [] }, status: 400, says: "input: must be a string or" },
      {
        name: "10,001 items",
        body: { ...RESPONSE, input: Array(10_001).fill({ role: "user", content: "x" }) },
        status: 400,
        says: "input: must be a string or",
      },
      {
        name: "10,000 tools",
        body: { ...RESPONSE, tools: Array(10_000).fill({ type: "function", name: "f" }) },
        status: 400,
        says: "tools: must be a list of at most",
      },
      {
        name: "a previous response",
        body: { ...RESPONSE, previous_response_id: "resp_1" },
        status: 400,
        says: "previous_response_id: not found",
      },
      ...wrongOnEveryTextRoute(RESPONSE, 404),
    ],
  },
  "GET /v1/models": { good: { path: "/v1/models" }, wrong: [] },
  "GET /v1/models/:model{.+}": {
    good: { path: "/v1/models/sandbox-chat" },
    wrong: ["unknown", "SANDBOX-CHAT", "sandbox-chat%20", "sandbox%2Fsandbox-chat", "%ff", "%00"].map(
      (id) => ({
        name: `the model ${id}`,
        path: `/v1/models/${id}`,
        status: 404,
        says: "model: ",
      }),
    ),
  },
};
