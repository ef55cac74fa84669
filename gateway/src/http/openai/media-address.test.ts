import { describe, expect, test } from "bun:test";
import { createEdge } from "../testing.ts";
import { decodeContent } from "./chat/chat-part.ts";
import { MAX_ADDRESSES, MediaAddresses } from "./media-address.ts";
import { decodeContent as decodeResponseContent } from "./responses/decode/decode-content.ts";

const long = (head: string) => head + "a".repeat(8_193 - head.length);

/** What follows the first bytes of an audio file. */
const SOUND = new Uint8Array(60).map((_, at) => at * 41);

const CHAT = (part: object) => decodeContent([part], "messages[0].content", new MediaAddresses());
const RESPONSE = (part: object) => decodeResponseContent([part], "input[0].content", new MediaAddresses());

function pictureOf(fields: object, type: string) {
  return { role: "user", content: [{ type, ...fields }] };
}

/** Ways to give a URL, and the field that a refusal names. */
const PLACES: readonly (readonly [string, (url: string) => unknown])[] = [
  ["messages[0].content[0].image_url", (url) => CHAT({ type: "image_url", image_url: url })],
  ["messages[0].content[0].image_url.url", (url) => CHAT({ type: "image_url", image_url: { url } })],
  ["messages[0].content[0].file.file_data", (url) => CHAT({ type: "file", file: { file_data: url } })],
  ["input[0].content[0].image_url", (url) => RESPONSE({ type: "input_image", image_url: url })],
  ["input[0].content[0].file_data", (url) => RESPONSE({ type: "input_file", file_data: url })],
  ["input[0].content[0].file_url", (url) => RESPONSE({ type: "input_file", file_url: url })],
];

const REFUSAL = "must be a public http or https address of at most 8192 characters, or a data URL";

describe.each(PLACES)("a media address at %s", (field, decode) => {
  test("is accepted up to 8,192 characters, and refused with the field's path beyond", () => {
    expect(() => decode(long("https://a.example/").slice(0, -1))).not.toThrow();
    for (const head of ["https://a.example/", "HTTP://a.example/"])
      expect(() => decode(long(head))).toThrow(`${field}: ${REFUSAL}`);
  });

  test("may have any length if it contains the bytes", () => {
    for (const head of ["data:image/png;base64,", "DATA:,", "iVBORw0KGgo", "/9j/4AAQ", "AA==", "_-8\r\n"])
      expect(() => decode(long(head))).not.toThrow();
    for (const first of [
      [0xff, 0xfb, 0x90, 0xc4],
      [0xff, 0xe3, 0x48, 0xc4],
      [0xff, 0xf1, 0x50, 0x80],
      [0xff, 0xfe, 0x68, 0],
    ])
      expect(() => decode(Buffer.from([...first, ...SOUND]).toString("base64"))).not.toThrow();
  });

  test("may have whitespace around it, and within base64", () => {
    const given = ["\n https://a.example/a.png\r\n", " data:image/png;base64,AA==", "\tiVBO Rw0K\tGgo=\n"];
    for (const url of given) expect(() => decode(url), url).not.toThrow();
  });

  test("is refused if it is a local path, has another scheme or is private, always with the same message", () => {
    const inside = [
      "file:///etc/passwd",
      "FILE:///etc/passwd",
      " file:///etc/passwd",
      "/etc/passwd",
      "//srv/a",
      " /etc/passwd",
      `${"/".repeat(64)}etc/passwd`,
      `//${"USERS/".repeat(3)}${"/".repeat(64)}`,
      `//var/lib/docker/containers/${"0123456789abcdef".repeat(4)}/hostname`,
      `//host/${"ABCDEF0123456789".repeat(4)}`,
      `/data/${"ABCDEF0123456789".repeat(4)}`,
      `//uQ_${"AQEB".repeat(20)}`,
      "//uQxAAAAAAA",
      "a/../../etc/passwd",
      "gs://bucket/a.png",
      "s3://bucket/a.png",
      "ftp://a.example/a.png",
      "http://169.254.169.254/latest/meta-data",
      "http://127.0.0.1:5432/",
      "http://localhost/a.png",
    ];
    for (const url of inside) expect(() => decode(url), url).toThrow(`${field}: ${REFUSAL}`);
  });
});

test("both the data and the address of a file are checked, because a provider may use either", () => {
  const part = {
    type: "input_file",
    file_data: "data:text/plain;base64,aGk=",
    file_url: "file:///etc/passwd",
  };
  expect(() => RESPONSE(part)).toThrow(`input[0].content[0].file_url: ${REFUSAL}`);
});

describe("media addresses of one call", () => {
  const CHAT_COMPLETIONS = "/v1/chat/completions";
  const { send } = createEdge();
  const messageOf = async (path: string, body: object) => {
    const reply = await send(path, { body: JSON.stringify({ model: "acme-chat", ...body }) });
    return ((await reply.json()) as { error?: { message: string } }).error?.message ?? "";
  };
  const chatParts = (count: number, url = "HTTPS://a.example/x") =>
    Array.from({ length: count }, () => ({ type: "image_url", image_url: { url } }));
  const user = (content: unknown) => ({ role: "user", content });
  const FEWER = `must be one of at most ${MAX_ADDRESSES} addresses of images and files in a call`;

  test("are counted over all messages, and the first one above the limit is named", async () => {
    const half = user(chatParts(MAX_ADDRESSES / 2));
    const more = [half, half, user(chatParts(1))];
    expect(await messageOf(CHAT_COMPLETIONS, { messages: more })).toBe(
      `messages[2].content[0].image_url.url: ${FEWER}`,
    );
    expect(await messageOf(CHAT_COMPLETIONS, { messages: [half, half] })).not.toContain(FEWER);
    const items = Array.from({ length: MAX_ADDRESSES + 1 }, () => ({
      type: "input_image",
      image_url: "HTTPS://a.example/x",
    }));
    expect(await messageOf("/v1/responses", { input: [user(items)] })).toBe(
      `input[0].content[${MAX_ADDRESSES}].image_url: ${FEWER}`,
    );
  });

  test("are counted in lists, too; data URLs are not counted", async () => {
    const list = Array.from({ length: MAX_ADDRESSES + 1 }, () => "HTTPS://a.example/x");
    expect(await messageOf(CHAT_COMPLETIONS, { messages: [user([{ type: "x", image_url: list }])] })).toBe(
      `messages[0].content[0].image_url[${MAX_ADDRESSES}]: ${FEWER}`,
    );
    const inline = user(chatParts(MAX_ADDRESSES + 1, "data:image/png;base64,AA=="));
    expect(await messageOf(CHAT_COMPLETIONS, { messages: [inline] })).not.toContain(FEWER);
  });
});

test.each([
  ["/v1/chat/completions", (url: string) => ({ messages: [pictureOf({ image_url: { url } }, "image_url")] })],
  ["/v1/responses", (url: string) => ({ input: [pictureOf({ image_url: url }, "input_image")] })],
])(
  "%s accepts addresses of the private hosts that the operator has configured, and no others",
  async (path, body) => {
    const { send } = createEdge({ settings: { privateMediaHosts: ["files.internal", "10.0.0.5:9000"] } });
    const statusOf = async (url: string) => {
      const reply = await send(path, { body: JSON.stringify({ model: "acme-chat", ...body(url) }) });
      return [reply.status, await reply.text()] as const;
    };
    for (const url of ["http://files.internal/a.png", "http://10.0.0.5:9000/a.png"])
      expect((await statusOf(url))[1], url).not.toContain(REFUSAL);
    for (const url of ["http://other.internal/a.png", "http://10.0.0.5/a.png"]) {
      const [status, text] = await statusOf(url);
      expect(status).toBe(400);
      expect(text).toContain(REFUSAL);
    }
  },
);
