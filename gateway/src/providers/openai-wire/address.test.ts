import { describe, expect, test } from "bun:test";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createAddress } from "./address.ts";

const { openai, azure, ollama } = WIRE_VENDORS;
const settings = { name: "acme", kind: null, baseUrl: null, apiKey: "k-1" };

describe("the address of a provider", () => {
  test("is the vendor's default unless the operator configures a base URL", () => {
    expect(createAddress(settings, openai).chatUrl("m")).toBe("https://api.openai.com/v1/chat/completions");
    const given = { ...settings, baseUrl: "http://127.0.0.1:9/x" };
    expect(createAddress(given, openai).chatUrl("m")).toBe("http://127.0.0.1:9/x/chat/completions");
  });

  test("contains the deployment and the API version if the operator configures a version", () => {
    const given = { ...settings, baseUrl: "https://acme.example", apiVersion: "2024-10-21" };
    expect(createAddress(given, azure).chatUrl("my model")).toBe(
      "https://acme.example/openai/deployments/my%20model/chat/completions?api-version=2024-10-21",
    );
  });

  test.each(["https://acme.example", "https://acme.example/openai/v1"])(
    "is Azure's v1 endpoint if no API version is configured: %s",
    (baseUrl) => {
      expect(createAddress({ ...settings, baseUrl }, azure).chatUrl("m")).toBe(
        "https://acme.example/openai/v1/chat/completions",
      );
    },
  );
});

describe("request headers", () => {
  test("carry the API key in the header that the vendor expects", () => {
    expect(createAddress(settings, openai).headers).toMatchObject({ authorization: "Bearer k-1" });
    expect(createAddress({ ...settings, baseUrl: "http://h" }, azure).headers).toMatchObject({
      "api-key": "k-1",
    });
  });

  test("contain no authorization without an API key", () => {
    expect(createAddress({ ...settings, apiKey: null }, ollama).headers).not.toHaveProperty("authorization");
  });

  test("include the operator's own, which cannot override content type and authorization", () => {
    const headers = { "x-title": "Bursar", "content-type": "text/plain", authorization: "Bearer other" };
    expect(createAddress({ ...settings, headers }, openai).headers).toMatchObject({
      "x-title": "Bursar",
      "content-type": "application/json",
      authorization: "Bearer k-1",
    });
  });
});
