import { dialRaw } from "./raw-client.ts";

type ParkedBody = {
  /** Sends the rest of the body; resolves to the status and text of the reply. */
  finish(): Promise<{ readonly status: number; readonly text: string }>;
  /** The status of a reply that came before the body was complete. */
  refused(): Promise<number>;
};

/** Bytes of the body that are sent with the head: enough to start the upload, too few to mean anything. */
const FIRST_BYTES = 1;

/** Starts a request and stops in the middle of its body, to see what the gateway does while the upload is pending. */
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
