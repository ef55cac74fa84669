import { describe, expect, test } from "bun:test";
import { createEdge } from "../testing.ts";

const entry = (id: string) => ({ id, object: "model", created: 1767225600, owned_by: "acme" });

describe("GET /v1/models", () => {
  test("lists the callable models and aliases for a key with any scope", async () => {
    const edge = createEdge();
    for (const key of ["chat", "assets", "good"]) {
      const response = await edge.send("/v1/models", { key });
      expect(response.status).toBe(200);
      const { object, data } = (await response.json()) as { object: string; data: { id: string }[] };
      expect(object).toBe("list");
      expect(data.map((model) => model.id)).toContain("acme-chat");
      expect(data.map((model) => model.id)).toContain("svc-fast");
    }
  });
});

describe("GET /v1/models/{id}", () => {
  test.each(["acme-chat", "svc-fast", "acme%2Dchat"])("%s is found", async (id) => {
    const response = await createEdge().send(`/v1/models/${id}`);
    expect(await response.json()).toEqual(entry(decodeURIComponent(id)));
  });

  test.each([
    ["unknown", "unknown"],
    ["ACME-CHAT", "ACME-CHAT"],
    ["acme-chat%20", "acme-chat?"],
    ["acme/acme-chat", "acme/acme-chat"],
    ["acme%2Facme-chat", "acme/acme-chat"],
    ["%ff", "?ff"],
    ["%00", "?"],
    ["__proto__", "__proto__"],
    ["m".repeat(65), `${"m".repeat(64)}…`],
  ])("%s is 404 model_not_found, like every model that cannot be called", async (id, shown) => {
    const response = await createEdge().send(`/v1/models/${id}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: {
        message: `model: ${shown} is no model that your organization may use; GET /v1/models lists them`,
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      },
    });
  });
});
