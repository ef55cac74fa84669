import type OpenAI from "openai";
import { zodResponsesFunction, zodTextFormat } from "openai/helpers/zod";
import { type Access, type Answer, type Ask, type Client, MAX_TURNS, runTool } from "./client.ts";
import { openaiClient } from "./openai-chat.ts";
import { openaiRefusal } from "./openai-refusal.ts";

type Item = OpenAI.Responses.ResponseInputItem;
type Turn = Pick<OpenAI.Responses.Response, "output" | "output_text" | "usage"> & {
  readonly output_parsed?: unknown;
};
type TurnInput = {
  readonly access: Access;
  readonly ask: Ask;
  readonly input: Item[];
  readonly onText: (text: string) => void;
};

/** Only `create`; items are taken from their `done` events. */
export const openaiResponses: Client = {
  name: "openai responses",
  wire: "responses",
  readsShouldRetry: true,
  ask: (access, ask) =>
    converse(ask, (input) =>
      openaiClient(access).responses.create(bodyOf(ask, input), { signal: ask.signal }),
    ),
  stream: (access, ask, onText = () => {}) =>
    converse(ask, (input) => streamTurn({ access, ask, input, onText })),
  refusalOf: openaiRefusal,
};

/** `parse` and `stream`, which build up a snapshot of the response and throw if events do not fit it. */
export const openaiResponsesHelpers: Client = {
  name: "openai responses helpers",
  wire: "responses",
  readsShouldRetry: true,
  ask: (access, ask) =>
    converse(ask, (input) =>
      openaiClient(access).responses.parse(bodyOf(ask, input), { signal: ask.signal }),
    ),
  stream: (access, ask, onText = () => {}) =>
    converse(ask, async (input) => {
      const stream = openaiClient(access).responses.stream(bodyOf(ask, input), { signal: ask.signal });
      stream.on("response.output_text.delta", ({ delta }) => onText(delta));
      const response = await stream.finalResponse();
      refuseFailed(response);
      return response;
    }),
  refusalOf: openaiRefusal,
};

function bodyOf({ model, tools, schema }: Ask, input: Item[]) {
  return {
    model,
    input,
    store: false,
    ...(tools && {
      tools: tools.map(({ name, parameters }) =>
        zodResponsesFunction({ name, parameters, description: `Runs ${name}.` }),
      ),
    }),
    ...(schema && { text: { format: zodTextFormat(schema, "answer") } }),
  };
}

const LAST_EVENTS: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
]);

async function streamTurn({ access, ask, input, onText }: TurnInput): Promise<Turn> {
  const stream = await openaiClient(access).responses.create(
    { ...bodyOf(ask, input), stream: true },
    { signal: ask.signal },
  );
  const output: OpenAI.Responses.ResponseOutputItem[] = [];
  let text = "";
  let ended: OpenAI.Responses.Response | null = null;
  for await (const event of stream) {
    if (event.type === "response.output_text.delta") {
      text += event.delta;
      onText(event.delta);
    } else if (event.type === "response.output_item.done") output.push(event.item);
    else if (LAST_EVENTS.has(event.type)) ended = (event as OpenAI.Responses.ResponseCompletedEvent).response;
  }
  if (ended === null && !ask.signal?.aborted) throw new Error("the stream ended without its last event");
  if (ended !== null) refuseFailed(ended);
  return { output, output_text: text, ...(ended?.usage && { usage: ended.usage }) };
}

/** The library does not throw for a failed response; its user checks the status. */
function refuseFailed({ status, error }: OpenAI.Responses.Response): void {
  if (status === "failed") throw new Error(`the response failed: ${error?.code} ${error?.message}`);
}

async function converse(ask: Ask, take: (input: Item[]) => PromiseLike<Turn>): Promise<Answer> {
  const image = ask.imageUrl && ({ type: "input_image", detail: "auto", image_url: ask.imageUrl } as const);
  const text = { type: "input_text", text: ask.prompt } as const;
  const input: Item[] = [{ role: "user", content: image ? [text, image] : ask.prompt }];
  let inputTokens = 0;
  let outputTokens = 0;
  for (let turns = 0; turns < MAX_TURNS; turns++) {
    const turn = await take(input);
    inputTokens += turn.usage?.input_tokens ?? 0;
    outputTokens += turn.usage?.output_tokens ?? 0;
    const calls = turn.output.filter((item) => item.type === "function_call");
    if (calls.length === 0) {
      const value = turn.output_parsed ?? (ask.schema && JSON.parse(turn.output_text));
      return { text: turn.output_text, inputTokens, outputTokens, ...(ask.schema && { value }) };
    }
    input.push(...turn.output.map(withoutParsed));
    for (const { call_id, name, arguments: written } of calls) {
      const output = runTool(ask.tools, name, JSON.parse(written));
      input.push({ type: "function_call_output", call_id, output });
    }
  }
  throw new Error("the model goes on calling tools");
}

/** The helpers add a field of their own. */
function withoutParsed(item: OpenAI.Responses.ResponseOutputItem): Item {
  const { parsed_arguments: _parsed, ...rest } = { parsed_arguments: undefined, ...item };
  return rest as Item;
}
