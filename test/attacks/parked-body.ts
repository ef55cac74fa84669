import { dialRaw } from "./raw-client.ts";

type ParkedBody = {
  /** Sends what was missing; the status of the reply and its text. */
  finish(): Promise<{ readonly status: number; readonly text: string }>;
  /** The status of a reply that did not wait for the rest. */
  refused(): Promise<number>;
};

/** Bytes of the body that come with the head: enough to be under way, too few to say anything. */
const FIRST_BYTES = 1;

/** A request whose body is begun and not ended: what it asks for waits inside. */
export function parkBody(
  origin: string,
  {
    path,
    headers,
    body,
  }: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  },
): ParkedBody {
  const text = JSON.stringify(body);
  const client = dialRaw(origin);
  const lines = Object.entries({
    host: new URL(origin).host,
    "content-type": "application/json",
    "content-length": String(text.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  client.say(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text.slice(0, FIRST_BYTES)}`);

  async function answered(): Promise<{ status: number; text: string }> {
    const reply = await client.reply();
    client.leave();
    return { status: reply?.status ?? 0, text: reply?.body ?? "" };
  }

  return {
    finish() {
      client.say(text.slice(FIRST_BYTES));
      return answered();
    },
    refused: async () => (await answered()).status,
  };
}
