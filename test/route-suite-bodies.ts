/** Bodies that every route must refuse, whatever its fields. Raw bytes, because most of them are not JSON. */
type BadBody = {
  readonly name: string;
  readonly bytes: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly says: string;
};

const NOT_JSON = "body: must be valid JSON";
const NOT_OBJECT = "body: must be a JSON object";

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function nested(depth: number): string {
  return `{"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
}

/** `good` is the route's own body as JSON; each case spoils it in one way. */
export function badBodies(good: string, limitBytes: number): readonly BadBody[] {
  const withMember = (member: string) => `${good.slice(0, -1)},${member}}`;
  const refused = (name: string, bytes: BadBody["bytes"], says: string): BadBody => ({
    name,
    bytes,
    status: 400,
    says,
  });
  return [
    refused("empty", "", NOT_JSON),
    refused("cut off", good.slice(0, -1), NOT_JSON),
    refused("followed by more", `${good}{}`, NOT_JSON),
    refused("in single quotes", good.replaceAll('"', "'"), NOT_JSON),
    refused("null", "null", NOT_OBJECT),
    refused("a list", "[]", NOT_OBJECT),
    refused("a string", '"text"', NOT_OBJECT),
    refused("a number", "5", NOT_OBJECT),
    refused("with a repeated key", withMember('"model":"other"'), "model: must not be given twice"),
    refused(
      "with an escaped repeated key",
      withMember('"\\u006dodel":"other"'),
      "model: must not be given twice",
    ),
    refused(
      "with a repeated key in a nested object",
      withMember('"x":{"y":1,"y":2}'),
      "x.y: must not be given twice",
    ),
    refused("65 levels deep", nested(65), "body: must not be nested deeper"),
    refused("100,000 levels deep", "[".repeat(100_000), "body: must not be nested deeper"),
    refused("of 100,000 open objects", '{"a":'.repeat(100_000), "body: must not be nested deeper"),
    refused("with a byte order mark", latin1(`\xef\xbb\xbf${good}`), "body: must begin with JSON"),
    refused("in Latin-1", latin1(withMember('"x":"\xe9"')), "body: must be UTF-8"),
    refused("with an overlong encoding", latin1(withMember('"x":"\xc0\xaf"')), "body: must be UTF-8"),
    refused("with an encoded surrogate", latin1(withMember('"x":"\xed\xa0\x80"')), "body: must be UTF-8"),
    refused("with NUL", withMember('"x":"a\\u0000b"'), "x: must not contain the character NUL"),
    refused("with NUL in a key", withMember('"a\\u0000b":1'), "a?b: must not contain the character NUL"),
    refused("with half a surrogate pair", withMember('"x":"\\ud800"'), "x: must not contain half"),
    refused("with a raw NUL", withMember('"x":"a\0b"'), NOT_JSON),
    {
      ...refused("as plain text", good, "Content-Type: must be"),
      status: 415,
      headers: { "content-type": "text/plain" },
    },
    {
      ...refused("as a form", good, "Content-Type: must be"),
      status: 415,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
    {
      ...refused("as JSON in UTF-16", good, "Content-Type: must be"),
      status: 415,
      headers: { "content-type": "application/json; charset=utf-16" },
    },
    {
      ...refused("declared as compressed", good, "Content-Encoding: must be"),
      status: 415,
      headers: { "content-encoding": "gzip" },
    },
    {
      name: "one byte too large",
      bytes: good.padEnd(limitBytes + 1),
      status: 413,
      says: "body: must be at most",
    },
  ];
}

/** Odd bodies that are nevertheless valid: unknown fields are ignored, and no field name is special. */
export function oddBodies(good: string): readonly { readonly name: string; readonly body: string }[] {
  const withMember = (member: string) => `${good.slice(0, -1)},${member}}`;
  return [
    { name: "with __proto__", body: withMember('"__proto__":{"admin":true}') },
    { name: "with constructor", body: withMember('"constructor":{"prototype":{"admin":true}}') },
    { name: "that names its own price", body: withMember('"price":0,"credits":-5,"org_id":"x"') },
    { name: "64 levels deep", body: withMember(`"x":${"[".repeat(63)}${"]".repeat(63)}`) },
    { name: "with an escaped backslash before u0000", body: withMember('"x":"\\\\u0000"') },
    { name: "with whitespace around it", body: ` \n\t${good}\r\n ` },
  ];
}
