import OpenAI from "openai";

/** The items of a streamed response as the official client's helper has them at its end; it throws where events do not fit. */
export async function officialReading(stream: string): Promise<readonly unknown[]> {
  const reply = () => Promise.resolve(new Response(stream, { headers: EVENT_STREAM }));
  const client = new OpenAI({ baseURL: "http://gateway.test/v1", apiKey: "k", maxRetries: 0, fetch: reply });
  const { output } = await client.responses.stream({ model: "m", input: "hi" }).finalResponse();
  return output.map(withoutParsed);
}

const EVENT_STREAM = { "content-type": "text/event-stream" };

/** The helper adds fields that only it knows. */
function withoutParsed(item: object): unknown {
  return JSON.parse(
    JSON.stringify(item, (name, value) =>
      name === "parsed" || name === "parsed_arguments" ? undefined : value,
    ),
  );
}
