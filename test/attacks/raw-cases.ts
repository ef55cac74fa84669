import type { TestOrganization } from "../harness.ts";

const PATH = "/functions/v1/api-v1-chat";
export const USAGE_PATH = "/functions/v1/api-v1-usage";
const HOST = "Host: edge.test\r\n";
const BODY = JSON.stringify({
  model: "sandbox-chat",
  messages: [{ role: "user", content: "[sandbox:echo] hi" }],
});
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const sized = (size: string, rest = `\r\n${BODY}\r\n0\r\n\r\n`) => `${size}${rest}`;

/** The exact bytes that a client with a valid key sends. Each case ends where a second request could be smuggled in. */
type RawCase = readonly [name: string, bytes: string];

function requests({ key }: TestOrganization) {
  const auth = `Authorization: Bearer ${key}\r\n`;
  const post = (headers: string, body: string) =>
    `POST ${PATH} HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\n${headers}\r\n${body}`;
  const get = (headers: string, line = `GET ${USAGE_PATH} HTTP/1.1`) => `${line}\r\n${headers}\r\n`;
  return { auth, post, get, hidden: post(LENGTH, BODY) };
}

/** Framing about which two servers could disagree where a request ends: we must refuse it. */
export function refusedFraming(own: TestOrganization): readonly RawCase[] {
  const { post, hidden } = requests(own);
  const lengths = [
    `${BODY.length}, ${BODY.length}`,
    `+${BODY.length}`,
    "0x10",
    "-1",
    "9".repeat(23),
    "",
    "1 0",
  ];
  const codings = ["xchunked", "chunked, identity", "identity", "gzip, chunked", "\x0bchunked"];
  const sizes = [
    "FFFFFFFFFFFFFFFF1",
    "8000000000000000",
    "-1",
    "0x10",
    "zz",
    `${BODY.length.toString(16)};\n`,
  ];
  return [
    ["a length and chunks", post(`${LENGTH}${CHUNKED}`, `0\r\n\r\n${hidden}`)],
    ["chunks and a length", post(`${CHUNKED}Content-Length: 4\r\n`, chunked(BODY))],
    ["two lengths that differ", post(`${LENGTH}Content-Length: 0\r\n`, `${BODY}${hidden}`)],
    ["two codings", post(`${CHUNKED}Transfer-Encoding: identity\r\n`, `${chunked(BODY)}${hidden}`)],
    ["chunks twice", post(`${CHUNKED}${CHUNKED}`, chunked(BODY))],
    ["a space before the colon", post("Transfer-Encoding : chunked\r\n", chunked(BODY))],
    ...lengths.map(
      (length) => [`the length ${length}`, post(`Content-Length: ${length}\r\n`, BODY)] as const,
    ),
    ...codings.map(
      (coding) =>
        [
          `the coding ${JSON.stringify(coding)}`,
          post(`Transfer-Encoding: ${coding}\r\n`, chunked(BODY)),
        ] as const,
    ),
    ...sizes.map((size) => [`a chunk of ${JSON.stringify(size)}`, post(CHUNKED, sized(size))] as const),
    ["chunks that end in line feeds", post(CHUNKED, `${BODY.length.toString(16)}\n${BODY}\n0\n\n`)],
    [
      "a chunk shorter than its size",
      post(CHUNKED, `${(BODY.length - 3).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`),
    ],
    ["a chunk without its end", post(CHUNKED, `${BODY.length.toString(16)}\r\n${BODY}XX0\r\n\r\n`)],
  ];
}

export function refusedHeads(own: TestOrganization): readonly RawCase[] {
  const { auth, get } = requests(own);
  const many = Array.from({ length: 500 }, (_, at) => `X${at}: a\r\n`).join("");
  const lines = [
    `GET evil.test:80 HTTP/1.1`,
    `GET ${USAGE_PATH} x HTTP/1.1`,
    `GET ${USAGE_PATH}\0 HTTP/1.1`,
    `GET\t${USAGE_PATH}\tHTTP/1.1`,
    `GET ${USAGE_PATH}`,
    `GET ${USAGE_PATH} HTTP/2.0`,
    `GET ${USAGE_PATH} HTTP/9.9`,
    `get ${USAGE_PATH} HTTP/1.1`,
    `G3T ${USAGE_PATH} HTTP/1.1`,
    "GET  HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "PRI * HTTP/2.0",
  ];
  return [
    ...lines.map((line) => [`the line ${JSON.stringify(line)}`, get(`${HOST}${auth}`, line)] as const),
    ["no host", get(auth)],
    ["a folded header", get(`${HOST}X: a\r\n b\r\n${auth}`)],
    ["a bare CR in a header", get(`${HOST}X: a\rY: b\r\n${auth}`)],
    ["a bare LF in a header", get(`${HOST}X: a\nY: b\r\n${auth}`)],
    ["a header without a colon", get(`${HOST}X\r\n${auth}`)],
    ["a header without a name", get(`${HOST}: a\r\n${auth}`)],
    ["a space in a name", get(`${HOST}X Y: a\r\n${auth}`)],
    ["bare line feeds", `GET ${USAGE_PATH} HTTP/1.1\nHost: a\n${auth.replace("\r", "")}\n`],
    ["500 headers", get(`${HOST}${auth}${many}`)],
    ["20 KB of headers", get(`${HOST}${auth}X: ${"a".repeat(20_000)}\r\n`)],
    ["a path of 20 KB", get(`${HOST}${auth}`, `GET /${"a".repeat(20_000)} HTTP/1.1`)],
    ["a key of a megabyte", get(`${HOST}Authorization: Bearer ${"a".repeat(1_000_000)}\r\n`)],
    ["NUL after the key", get(`${HOST}${auth.replace("\r\n", "\0\r\n")}`)],
    ["CR after the key", get(`${HOST}${auth.replace("\r\n", "\r\r\n")}`)],
    ["a TLS handshake", `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${"\xab".repeat(500)}`],
    ["zeros", "\0".repeat(20_000)],
    ["another protocol", "SSH-2.0-OpenSSH_9\r\n"],
    ["a proxy's preface", `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${get(`${HOST}${auth}`)}`],
  ];
}

/** Odd but unambiguous: each is exactly one request, and the bytes after it are none. */
export function singleRequests(own: TestOrganization): readonly (readonly [...RawCase, status: number])[] {
  const { auth, post, get, hidden } = requests(own);
  return [
    ["a GET with a body", `${get(`${HOST}${auth}Content-Length: ${hidden.length}\r\n`)}${hidden}`, 200],
    ["a GET with a chunked body", `${get(`${HOST}${auth}${CHUNKED}`)}${chunked(hidden)}`, 200],
    ["a request within a body", post(`Content-Length: ${hidden.length}\r\n`, hidden), 400],
    ["an absolute target", get(`${HOST}${auth}`, `GET http://evil.test${USAGE_PATH} HTTP/1.1`), 200],
    ["two hosts", get(`${HOST}Host: b\r\n${auth}`), 400],
    ["two keys", get(`${HOST}${auth}${auth}`), 401],
    ["an upgrade to another protocol", get(`${HOST}${auth}Connection: Upgrade\r\nUpgrade: h2c\r\n`), 200],
    ["an upgrade to a WebSocket", get(`${HOST}${auth}Connection: Upgrade\r\nUpgrade: websocket\r\n`), 200],
    ["TRACE", get(`${HOST}${auth}`, `TRACE ${USAGE_PATH} HTTP/1.1`), 405],
    ["an unknown method", get(`${HOST}${auth}`, `QUERY ${USAGE_PATH} HTTP/1.1`), 405],
    ["invalid UTF-8 in the path", get(`${HOST}${auth}`, "GET /\xc3\xa9\xff HTTP/1.1"), 404],
    ["dots in the path", get(`${HOST}${auth}`, "GET /../../../etc/passwd HTTP/1.1"), 404],
    ["a fragment", get(`${HOST}${auth}`, `GET ${USAGE_PATH}#x HTTP/1.1`), 404],
  ];
}

/** A valid call, to send before and after an attack. */
export function goodCall(own: TestOrganization): string {
  return requests(own).hidden;
}
