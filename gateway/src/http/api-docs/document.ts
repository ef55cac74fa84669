import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EFFICIENCY_LEVELS } from "../../identity/index.ts";
import { ERROR_CODES, isObject, ROOT } from "../../kit/index.ts";
import type { HttpSettings } from "../context.ts";
import { API_VERSION } from "../reply.ts";
import type { ApiRoute, RouteParameter, Wire } from "../route.ts";
import { errorHeaders, HEADERS, successHeaders } from "./headers.ts";
import { errorsOf } from "./route-errors.ts";

/** The parts of the document that differ from one gateway to another. */
type Described = Pick<HttpSettings, "publicUrl" | "keyPrefix" | "aliasPrefix">;

/** The text above the operations. Its headings become entries in the reference's sidebar. */
function introduction({ publicUrl, keyPrefix }: Described): string {
  return `One API key, one balance of credits, every model your organization may use. Every generating call reports what it cost and what is left.

## Two interfaces
The main interface is at \`${publicUrl}/functions/v1\`. A second one at \`${publicUrl}/v1\` follows the chat-completions conventions, for generic clients. Both accept the same keys and spend the same credits.

## Authentication
Send \`Authorization: Bearer ${keyPrefix}…\`, once. A key carries scopes (chat, images, video, audio, usage, assets), and each operation names the one it needs. The optional header \`X-Member-User-Id\` attributes a call to a member of the organization.

## Errors
The main interface returns \`{"error": {"code", "message", "request_id"}}\` with one of ten codes; the compatible interface returns \`{"error": {"message", "type", "param", "code"}}\`. The message names the field and what it accepts. A 401 carries \`WWW-Authenticate: Bearer\`. A call that fails costs nothing, unless its provider stopped because of the content after some of the answer: the error then says what it cost.

## Replies
Every reply carries \`x-request-id\`. A request's own \`X-Client-Request-Id\`, up to 128 visible ASCII characters, is repeated in its reply and stands in the log. Calls that spend credits and reads say in their rate-limit headers how many more may follow in this minute; reads may be ten times as many. HEAD works wherever GET does. Replies above 1 KiB are compressed if \`Accept-Encoding\` asks for gzip; event streams and files are not.

## Repeating a call safely
Send an \`Idempotency-Key\` of 1 to 255 visible ASCII characters with any call that spends credits. It is kept for 24 hours per API key and endpoint.

- The same key with the same request returns the first reply again, with \`Idempotent-Replayed: true\`, and charges nothing.
- The same key with a different request is a 409.
- While the first call is still running, a repeat is a 409 with \`Retry-After\`.

## Sandbox directives
The sandbox models answer without any provider. A directive makes them do what is hard to provoke otherwise. Write it into the last user message, or into the prompt for an image, audio or a video:

| Directive | What happens |
|---|---|
| \`[sandbox:error=429]\` | the upstream fails with that status (300 to 599) before the first byte. You get 400 for 400, 413 and 422, 504 for 408, 503 for 429, and 502 for all others |
| \`[sandbox:cut=after:20]\` | the stream breaks off after 20 words (0 to 10000) |
| \`[sandbox:delay=3s]\` | the answer takes this long, spread over its words (250ms, 3s, 2m; at most 120s) |
| \`[sandbox:first-byte=2s]\` | the first byte arrives after this time (at most 120s, together with a delay) |
| \`[sandbox:tokens=500]\` | the text has this many tokens; JSON and tool calls stay whole |
| \`[sandbox:usage=none]\` | no usage is reported, so Bursar's estimate is charged |
| \`[sandbox:finish=length]\` | the answer ends with this finish reason (stop, length, content_filter) |
| \`[sandbox:echo]\` | gives your message back |
| \`[sandbox:refusal]\` | declines to answer |
| \`[sandbox:reasoning]\` | thinks aloud first |
| \`[sandbox:reasoning=signed]\` | thinks aloud, and requires that reasoning back with the tool result |
| \`[sandbox:call=NAME {"key": "value"}]\` | calls a tool (up to 16); without the JSON, its required arguments are made up |
| \`[sandbox:fail]\` | the call fails, at no charge: chat, image or audio, or a video at its end |
| \`[sandbox:processing=10s]\` | a video takes this long (at most 120s) |
`;
}

type Json = Readonly<Record<string, unknown>>;

const TAGS: Readonly<Record<Wire, string>> = { native: "Main interface", openai: "Compatible interface" };
/** Not `Error`: generated clients get a class of this name with a field `error`. */
const ENVELOPES: Readonly<Record<Wire, string>> = { native: "ErrorReply", openai: "CompatibleErrorReply" };
const SCHEMAS = "#/components/schemas/";

/** The OpenAPI 3.1 document of every route in the table. What is undefined is not written. */
export function openApiDocument(routes: readonly ApiRoute[], described: Described): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const schemas = new Schemas();
  const examples = examplesOf(described);
  for (const route of routes) {
    // The router's `:model{.+}` becomes OpenAPI's `{model}`.
    const path = route.path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(route, described, { schemas, examples }),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Bursar", version: API_VERSION, description: introduction(described) },
    servers: [{ url: described.publicUrl }],
    tags: [
      {
        name: TAGS.native,
        description: "Chat, images, video, speech and music, models, usage and the library.",
      },
      { name: TAGS.openai, description: "For clients that follow the chat-completions conventions." },
    ],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `Your organization's API key, \`${described.keyPrefix}…\`.`,
        },
      },
      headers: HEADERS,
      schemas: { ErrorReply: nativeEnvelope, CompatibleErrorReply: openaiEnvelope, ...schemas.named },
    },
  };
}

/** Schemas by name, so that generated clients have types: those with an id of their own, and whole bodies. */
class Schemas {
  readonly named: Record<string, unknown> = {};

  /** A reference to the schema, under its own name or else under this one. */
  refer(schema: z.ZodType, name: string, made = (part: unknown) => part): Json {
    const { $defs = {}, ...whole } = jsonSchema(schema);
    for (const [id, part] of Object.entries($defs)) this.named[id] = made(part);
    if ("$ref" in whole) return whole;
    this.named[name] = made(whole);
    return { $ref: `${SCHEMAS}${name}` };
  }
}

/** What the sandbox answers to the example of each request; `test/endpoints/documented-examples.test.ts` writes it. */
const EXAMPLES = join(ROOT, "docs", "api-examples.json");
type Examples = Readonly<Record<string, { readonly reply: unknown; readonly stream?: string }>>;

/** As this gateway would answer. */
function examplesOf({ publicUrl, aliasPrefix }: Described): Examples {
  const text = readFileSync(EXAMPLES, "utf8");
  const own = text.replaceAll("http://127.0.0.1:8787", publicUrl).replaceAll('"svc-', `"${aliasPrefix}`);
  return JSON.parse(own) as Examples;
}

function operation(
  route: ApiRoute,
  described: Described,
  { schemas, examples }: { readonly schemas: Schemas; readonly examples: Examples },
): Json {
  const { docs } = route;
  const example = examples[docs.operationId];
  const name = docs.operationId.charAt(0).toUpperCase() + docs.operationId.slice(1);
  const scope = route.scope === "any" ? "any scope" : `the scope \`${route.scope}\``;
  return {
    operationId: docs.operationId,
    tags: [TAGS[route.wire]],
    summary: docs.summary,
    description: `${docs.description}\n\nNeeds ${scope}.`,
    parameters: [...(docs.parameters ?? []), ...headerParameters(route)],
    requestBody:
      docs.body && requestBody(docs.body, described, schemas.refer(docs.body.schema, `${name}Request`)),
    responses: {
      "200": {
        description: "Success.",
        headers: successHeaders(route),
        content: {
          "application/json": {
            schema: schemas.refer(docs.reply, `${name}Reply`, opened),
            example: example?.reply,
          },
          "text/event-stream": docs.stream && {
            ...streamed(docs.stream.about, schemas.refer(docs.stream.event, `${name}Event`, opened)),
            example: example?.stream,
          },
        },
        links: docs.links,
      },
      ...errorResponses(route),
    },
  };
}

function requestBody(
  body: NonNullable<ApiRoute["docs"]["body"]>,
  { aliasPrefix }: Described,
  schema: Json,
): Json {
  const model = body.alias === undefined ? {} : { model: `${aliasPrefix}${body.alias}` };
  const content = { schema, example: { ...model, ...body.example } };
  return { required: true, content: { "application/json": content } };
}

/** `contentSchema` is that of each event's data. */
function streamed(description: string, contentSchema: Json): Json {
  return { schema: { type: "string", description, contentMediaType: "text/event-stream", contentSchema } };
}

function errorResponses(route: ApiRoute): Json {
  const schema = { $ref: `${SCHEMAS}${ENVELOPES[route.wire]}` };
  const responses: Record<string, Json> = {};
  for (const [status, errors] of Map.groupBy(errorsOf(route), (error) => error.status)) {
    const description = errors
      .map(({ code, when }) => `\`${codeOn(route.wire, code)}\`: ${when}.`)
      .join("\n\n");
    const headers = errorHeaders(route, status);
    responses[String(status)] = { description, headers, content: { "application/json": { schema } } };
  }
  return responses;
}

function codeOn(wire: Wire, code: string): string {
  return wire === "openai" && code === "model_not_allowed" ? "model_not_found" : code;
}

function headerParameters(route: ApiRoute): readonly Json[] {
  const member = header("X-Member-User-Id", "User id of the member to whom the call is attributed.", {
    type: "string",
    format: "uuid",
  });
  const client = header(
    "X-Client-Request-Id",
    "Your own name for the request: repeated in the reply and logged.",
    {
      type: "string",
      pattern: "^[!-~]{1,128}$",
    },
  );
  if (!route.spends) return [member, client];
  const key = header("Idempotency-Key", "Makes the call safe to repeat for 24 hours.", {
    type: "string",
    pattern: "^[!-~]{1,255}$",
  });
  // Only chat input is compacted.
  if (route.scope !== "chat") return [member, client, key];
  return [
    member,
    client,
    key,
    // A pattern instead of an enum: viewers preselect the first enum value, and sending it would override the
    // organization's setting.
    header(
      "X-Efficiency",
      "Overrides the organization's setting for input compaction: `off`, `safe` or `structural`.",
      { type: "string", pattern: `^(${EFFICIENCY_LEVELS.join("|")})$` },
    ),
  ];
}

function header(
  name: string,
  description: string,
  schema: Json,
): Omit<RouteParameter, "in"> & { in: "header" } {
  return { name, in: "header", required: false, description, schema };
}

type Made = Json & { readonly $defs?: Json };

function jsonSchema(schema: z.ZodType): Made {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema: made }) {
      // The bounds of safe integers tell nobody anything, and viewers show them as examples.
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
    },
  });
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${SCHEMAS}`)) as Made;
}

/**
 * Our own tests hold replies to exactly these fields and kinds. Clients must accept others, too: a provider's fields
 * are passed through, and a later version may add more.
 */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  const { additionalProperties, oneOf, ...rest } = value;
  const made = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, opened(part)]));
  if (additionalProperties !== undefined && additionalProperties !== false)
    made["additionalProperties"] = opened(additionalProperties);
  // A union of kinds that differ in their `type`.
  return Array.isArray(oneOf) ? { ...made, anyOf: [...oneOf.map(opened), OTHER_KIND] } : made;
}

const OTHER_KIND: Json = {
  type: "object",
  description: "Another kind, as returned by the model's provider.",
  properties: { type: { type: "string" } },
  required: ["type"],
};

const nativeEnvelope = jsonSchema(
  z.object({
    error: z.object({
      code: z.enum(ERROR_CODES),
      message: z.string().describe("What went wrong, and what to do about it."),
      request_id: z.uuid().nullable(),
    }),
  }),
);

const openaiEnvelope = jsonSchema(
  z.object({
    error: z.object({
      message: z.string(),
      type: z.enum([
        "invalid_request_error",
        "authentication_error",
        "permission_error",
        "rate_limit_error",
        "insufficient_quota",
        "server_error",
      ]),
      param: z.string().nullable(),
      code: z.string().nullable(),
      checkout_url: z.url().optional().describe("On 402: where to buy credits."),
    }),
    checkout_url: z.url().optional().describe("On 402: where to buy credits."),
  }),
);
