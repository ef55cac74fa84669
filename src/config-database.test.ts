import { expect, test } from "bun:test";
import { inspectConfig } from "./config.ts";

function problemsOf(query: string): readonly string[] {
  const DATABASE_URL = `postgresql://ada:canary@db.test/books?${query}`;
  return inspectConfig({ DATABASE_URL }, "/nowhere").problems;
}

test.each([
  "",
  "ssl=true",
  "ssl=1",
  "ssl=0",
  "ssl=no-verify",
  "sslmode=verify-full",
  "sslnegotiation=postgres",
])("DATABASE_URL with %p is taken", (query) => expect(problemsOf(query)).toEqual([]));

test.each([
  ["ssl=false", "DATABASE_URL: must have true, 1, 0 or no-verify as ssl; sslmode knows more"],
  ["ssl=require", "DATABASE_URL: must have true, 1, 0 or no-verify as ssl; sslmode knows more"],
  ["sslnegotiation=direct", "DATABASE_URL: must not have sslnegotiation: TLS is asked for in the usual way"],
])("DATABASE_URL with %p is refused: not every connection could honour it", (query, problem) => {
  expect(problemsOf(query)).toEqual([problem]);
});
