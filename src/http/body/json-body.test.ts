import { describe, expect, test } from "bun:test";
import { checkContentType } from "./json-body.ts";

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
