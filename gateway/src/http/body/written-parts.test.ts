import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeJson } from "./json-body.ts";
import { writtenPartsIn } from "./written-parts.ts";

type Body = Readonly<Record<string, unknown>>;

/** Long enough to be noted: blanks after the body count. */
const BLANKS = " ".repeat(8 * 1024);

function read(text: string, repair?: (value: unknown) => void) {
  const bytes = new TextEncoder().encode(text + BLANKS);
  const body = decodeJson(bytes, 64, repair) as Body;
  const written = writtenPartsIn(body);
  const textOf = (part: unknown): string | undefined => {
    const place = written?.places.get(part);
    return place && new TextDecoder().decode(bytes.subarray(place.start, place.end));
  };
  return { body, written, textOf };
}

const partsOf = (body: Body): unknown[] =>
  Object.values(body).flatMap((value) => (Array.isArray(value) ? value : []));
const isPart = (value: unknown) => typeof value === "object" && value !== null;

const name = fc.oneof(
  fc.constantFrom("messages", "tools", "a", "__proto__", "[", '"', "}", "\\", "é", "“"),
  fc.string(),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 0, -1.5, "", "[{", '"]', "\\", "“x”", "\n"),
    fc.string(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
}));
const bodies = fc.dictionary(name, json.value, { maxKeys: 5 });

describe("a part of a body", () => {
  test("stands where it was read, however the body is laid out", () => {
    let found = 0;
    const run = fc.property(bodies, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const { body, textOf } = read(JSON.stringify(value, null, space));
      for (const part of partsOf(body)) {
        const text = textOf(part);
        if (text === undefined) continue;
        found++;
        expect(JSON.parse(text)).toEqual(part);
        expect(text.trim()).toBe(text);
      }
    });
    fc.assert(run, { numRuns: 500 });
    expect(found).toBeGreaterThan(100);
  });

  test("has a place if it is an object or a list in a list of the body's own", () => {
    const { body, textOf } = read('{"m":[{"a":[{}]},1,"[{",[ ]],"o":{"l":[{"x":1}]},"t":[{}]}');
    expect(partsOf(body).map(textOf)).toEqual(['{"a":[{}]}', undefined, undefined, "[ ]", "{}"]);
    expect(textOf((body["o"] as Body)["l"])).toBeUndefined();
    expect(textOf({ a: [{}] })).toBeUndefined();
  });

  test("has none in a body with numbers as keys, which are read in another order", () => {
    const { body, textOf } = read('{"2":[{"at":2}],"1":[{"at":1}]}');
    expect(partsOf(body).map(textOf)).toEqual([undefined, undefined]);
    expect(read('{"m":[{"\\u0031":1}]}').written).toBeUndefined();
  });

  test.each(["\\u0063ache_control", "cache\\u005fcontrol", "c\\u0061che_control", "\\u0043ache_control"])(
    "has none where a letter is written as an escape: %s",
    (key) => {
      expect(read(`{"m":[{"${key}":1}]}`).written).toBeUndefined();
    },
  );

  test("has none in a body whose texts were repaired", () => {
    const repair = (value: unknown) => {
      (value as { m: { t: string }[] }).m[0] = { t: "" };
    };
    for (const half of ["\\u0000", "\\ud800", "\\uDFFF"])
      expect(read(`{"m":[{"t":"${half}"}]}`, repair).written).toBeUndefined();
  });

  test("has one beside other escapes", () => {
    const { body, textOf } = read('{"m":[{"t":"\\u003cb\\u003e \\u00e9 \\n \\" \\\\ \\u2028"}]}');
    expect(partsOf(body).map(textOf)).not.toContain(undefined);
  });

  test("has none in a short body, nor beyond twenty thousand others", () => {
    const body = decodeJson(new TextEncoder().encode('{"m":[{}]}'), 8) as Body;
    expect(writtenPartsIn(body)).toBeUndefined();
    const many = read(`{"m":[${"{},".repeat(20_000)}{"last":1}]}`);
    const places = partsOf(many.body).map(many.textOf);
    expect(places.filter((text) => text === "{}").length).toBe(20_000);
    expect(places.at(-1)).toBeUndefined();
  });

  test("is not looked for in a body that is no object", () => {
    expect(
      writtenPartsIn(decodeJson(new TextEncoder().encode(`[[{}]]${BLANKS}`), 8) as object),
    ).toBeUndefined();
    expect(partsOf(read("{}").body).filter(isPart)).toEqual([]);
  });
});
