import { describe, expect, test } from "bun:test";
import { createAddress } from "./address.ts";
import { WIRE_VENDORS } from "./vendors.ts";

const { openai, azure, ollama } = WIRE_VENDORS;
const settings = { name: "acme", kind: null, baseUrl: null, apiKey: "k-1" };

describe("an address", () => {
  test("is the vendor's own unless the operator gives one", () => {
    expect(createAddress(settings, openai).chatUrl("m")).toBe("https://api.openai.com/v1/chat/completions");
    const given = { ...settings, baseUrl: "http://127.0.0.1:9/x" };
    expect(createAddress(given, openai).chatUrl("m")).toBe("http://127.0.0.1:9/x/chat/completions");
  });

  test("holds the deployment and the version where the operator gives a version", () => {
    const given = { ...settings, baseUrl: "https://acme.example", apiVersion: "2024-10-21" };
    expect(createAddress(given, azure).chatUrl("my model")).toBe(
      "https://acme.example/openai/deployments/my%20model/chat/completions?api-version=2024-10-21",
    );
  });

  test.each(["https://acme.example", "https://acme.example/openai/v1"])(
    "without a version is the newer one: %s",
    (baseUrl) => {
      expect(createAddress({ ...settings, baseUrl }, azure).chatUrl("m")).toBe(
        "https://acme.example/openai/v1/chat/completions",
      );
    },
  );
});

describe("headers", () => {
  test("prove who calls in the vendor's way", () => {
    expect(createAddress(settings, openai).headers).toMatchObject({ authorization: "Bearer k-1" });
    expect(createAddress({ ...settings, baseUrl: "http://h" }, azure).headers).toMatchObject({
      "api-key": "k-1",
    });
  });

  test("prove nothing without a key", () => {
    expect(createAddress({ ...settings, apiKey: null }, ollama).headers).not.toHaveProperty("authorization");
  });

  test("of the operator go along, beneath our own", () => {
    const headers = { "x-title": "Bursar", "content-type": "text/plain", authorization: "Bearer other" };
    expect(createAddress({ ...settings, headers }, openai).headers).toMatchObject({
      "x-title": "Bursar",
      "content-type": "application/json",
      authorization: "Bearer k-1",
    });
  });
});
