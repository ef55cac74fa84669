import { expect, test } from "bun:test";
import type { OrderRow } from "../../../gateway/src/http/console/contract.ts";
import { endedWords } from "./returned.tsx";

test("an order that was refunded or disputed is not called unpaid", () => {
  const order = { kind: "pack", item: "small", credits: 5_000 } as OrderRow;
  const said = (["expired", "refunded", "disputed"] as const).map((status) =>
    endedWords({ ...order, status }),
  );
  expect(said).toEqual([
    "The order for 5,000 anytime credits was not paid.",
    "The order for 5,000 anytime credits was paid and has been refunded.",
    "The order for 5,000 anytime credits was paid, and the payment is disputed.",
  ]);
});
