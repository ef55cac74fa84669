import { expect, test } from "bun:test";
import { wireBodyFor } from "../testing.ts";

test("fields that control a shared server's queue, ids, state or code are removed", () => {
  const body = {
    priority: -9,
    Priority: -9,
    request_id: "another's",
    rid: "another's",
    session_params: { id: "another's" },
    lora_path: "/srv/another's",
    logits_processors: ["a.module"],
    custom_logit_processor: "code",
    kv_transfer_params: { remote_host: "10.0.0.5" },
    bootstrap_host: "10.0.0.5",
    bootstrap_port: 80,
    bootstrap_room: 1,
  };
  const sent = wireBodyFor({ ...body, top_k: 4 });
  expect(sent).toMatchObject({ top_k: 4 });
  expect(Object.keys(sent).filter((name) => name in body)).toEqual([]);
});

test("fields that tell another gateway what to drop, mark or prioritize are removed", () => {
  const mark = { type: "ephemeral", ttl: "1h" };
  const body = {
    additional_drop_params: ["max_tokens"],
    cache_control_injection_points: [{ location: "message", control: mark }],
    serviceTier: "priority",
    performanceConfig: { latency: "optimized" },
    Cache_Control: mark,
    Reasoning: { mode: "pro" },
  };
  const sent = wireBodyFor({ ...body, top_k: 4 });
  expect(sent).toMatchObject({ top_k: 4 });
  expect(Object.keys(sent).filter((name) => name in body)).toEqual([]);
});
