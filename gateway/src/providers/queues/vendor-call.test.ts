import { expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { failureFrom, testFetch } from "../../outbound/testing.ts";
import { callContext } from "../media/media-testing.ts";
import { createVendorCall } from "./vendor-call.ts";

/** Reads an order and disconnects at once, like a server that accepted it and then crashed. */
async function startForgetfulVendor(): Promise<{ url: string; orders(): number; server: Server }> {
  let orders = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      orders += 1;
      socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/order`, orders: () => orders, server };
}

test("an order that the vendor may have received is not sent again when the connection breaks", async () => {
  const vendor = await startForgetfulVendor();
  const call = createVendorCall(testFetch(), {});
  const failure = await failureFrom(call.post(vendor.url, { prompt: "a calm wave" }, callContext()));
  expect(failure.kind).toBe("unavailable");
  expect(vendor.orders()).toBe(1);
  vendor.server.close();
});

test("an order that was never sent is retried once", async () => {
  const vendor = await startForgetfulVendor();
  vendor.server.close();
  const outbound = testFetch();
  let tries = 0;
  const call = createVendorCall((url, init) => {
    tries += 1;
    return outbound(url, init);
  }, {});
  await failureFrom(call.post(vendor.url, { prompt: "a calm wave" }, callContext()));
  expect(tries).toBe(2);
});
