import OpenAI from "openai";

/** The items that the official client's helper has at the end of a streamed response; throws if events do not fit. */
export async function officialReading(stream: string): Promise<readonly unknown[]> {
  const reply = () => Promise.resolve(new Response(stream, { headers: EVENT_STREAM }));
  const client = new OpenAI({ baseURL: "http://gateway.test/v1", apiKey: "k", maxRetries: 0, fetch: reply });
  const { output } = await client.responses.stream({ model: "m", input: "hi" }).finalResponse();
  return output.map(withoutParsed);
}

const EVENT_STREAM = { "content-type": "text/event-stream" };

/** The helper adds fields of its own. */
function withoutParsed(item: object): unknown {
  return JSON.parse(
    JSON.stringify(item, (name, value) =>
      name === "parsed" || name === "parsed_arguments" ? undefined : value,
    ),
  );
}
