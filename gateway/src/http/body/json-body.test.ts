import { describe, expect, test } from "bun:test";
import { AppError } from "../../kit/index.ts";
import { checkContentType, decodeJson } from "./json-body.ts";

const check = (type: string) => () => checkContentType(new Headers({ "content-type": type }));

describe("a content type", () => {
  test.each([
    "application/json",
    "Application/JSON ; Charset=UTF-8",
    'application/json;charset="utf-8"',
    "application/json; charset=utf8",
    'application/json; charset="UTF8"',
    "application/json; charset=us-ascii",
    "application/json;",
    "application/json; boundary=x",
    'application/json; profile="a=b"; charset=utf-8',
  ])("%s is accepted as JSON", (type) => {
    expect(check(type)).not.toThrow();
  });

  test.each([
    ...["text/plain", "application/jsonx", "application/json+x", "", "json", "application/json boundary=x"],
    ...["application/json; charset=utf-16", "application/json; charset=", "application/json; charset"],
    "application/json; charset=utf-8; charset=latin1",
    ...["application/json, text/plain", "application/json; a=b, text/plain"],
    `application/json; a=${"x".repeat(300)}`,
  ])("%s is refused", (type) => {
    expect(check(type)).toThrow("must be application/json in UTF-8");
  });
});

describe("the error for a body names the field at fault", () => {
  const deep = `${'{"a":'.repeat(20)}"\\u0000"${"}".repeat(20)}`;
  test.each([
    ['{"a":{"b":[1,"\\u0000"]}}', "a.b[1]: must not contain the character NUL (\\u0000)"],
    ['["\\ud800"]', "[0]: must not contain half of a surrogate pair"],
    ['"\\ud800"', "body: must not contain half of a surrogate pair"],
    ['{"<b>\\u0000":1}', "?b??: must not contain the character NUL (\\u0000)"],
    [`{"${"k".repeat(100)}":"\\u0000"}`, `${"k".repeat(64)}…: must not contain the character NUL (\\u0000)`],
    [deep, "a.a.a.a.a.a.a.a: must not contain the character NUL (\\u0000)"],
    ['{"m":[{"role":"user","role":"x"}]}', "m[0].role: must not be given twice in one object"],
    [`{"x":1,"pad":"${"y".repeat(300_000)}","x":2}`, "body: must not repeat a key within an object"],
  ])("%#", (text, message) => {
    const field = message.startsWith("body") ? undefined : message.split(": ")[0];
    let refused: unknown;
    try {
      decodeJson(new TextEncoder().encode(text), 64);
    } catch (error) {
      refused = error;
    }
    expect(refused instanceof AppError && [refused.message, refused.options.field]).toEqual([message, field]);
  });
});
