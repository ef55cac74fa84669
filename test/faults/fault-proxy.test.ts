import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

let echo: Server;
let proxy: FaultProxy;
let received = "";
const clients: Socket[] = [];

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received += bytes;
      socket.write(bytes);
    });
  });
  const port = await new Promise<number>((resolve) => {
    echo.listen(0, "127.0.0.1", () => resolve((echo.address() as { port: number }).port));
  });
  proxy = await startFaultProxy({ host: "127.0.0.1", port });
});
afterEach(() => {
  for (const socket of clients.splice(0)) socket.destroy();
  proxy.set({ kind: "pass" });
  received = "";
});
afterAll(async () => {
  await proxy.close();
  echo.close();
});

type Client = {
  send(text: string): void;
  heard(text: string): Promise<void>;
  gone(): Promise<string>;
  text(): string;
};

async function open(): Promise<Client> {
  const socket = connect({ host: "127.0.0.1", port: proxy.port });
  clients.push(socket);
  let text = "";
  let ended: string | null = null;
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => void check());
  socket.on("data", (bytes) => {
    text += bytes;
    look();
  });
  socket.on("error", (error) => {
    ended = (error as NodeJS.ErrnoException).code ?? "error";
    look();
  });
  socket.on("close", () => {
    ended ??= "closed";
    look();
  });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const until = <T>(found: () => T | null) =>
    new Promise<T>((resolve) => {
      const check = () => {
        const value = found();
        if (value === null) return;
        waiting.delete(check);
        resolve(value);
      };
      waiting.add(check);
      check();
    });
  return {
    send: (piece) => void socket.write(piece),
    heard: async (wanted) => void (await until(() => (text.includes(wanted) ? true : null))),
    gone: () => until(() => ended),
    text: () => text,
  };
}

test("bytes pass in both directions", async () => {
  const client = await open();
  client.send("hello");
  await client.heard("hello");
});

test("latency delays each piece", async () => {
  const client = await open();
  proxy.set({ kind: "latency", delayMs: 20 });
  const startedMs = performance.now();
  client.send("hello");
  await client.heard("hello");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(38);
});

test("a bandwidth limit delays many bytes", async () => {
  const client = await open();
  proxy.set({ kind: "bandwidth", bytesPerSecond: 100_000 });
  const startedMs = performance.now();
  client.send(`${"x".repeat(2_000)}!`);
  await client.heard("!");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(38);
});

test("bytes sent into a black hole arrive once it passes again", async () => {
  const client = await open();
  client.send("one");
  await client.heard("one");
  proxy.set({ kind: "black_hole" });
  client.send("two");
  const late = await open();
  late.send("three");
  await Bun.sleep(20);
  expect([client.text(), late.text(), received]).toEqual(["one", "", "one"]);
  proxy.set({ kind: "pass" });
  await client.heard("two");
  await late.heard("three");
});

test("a half-open connection accepts bytes and never answers, even after it passes again", async () => {
  const client = await open();
  client.send("one");
  await client.heard("one");
  proxy.set({ kind: "half_open" });
  client.send("two");
  proxy.set({ kind: "pass" });
  client.send("three");
  const later = await open();
  later.send("four");
  await later.heard("four");
  expect([client.text(), received]).toEqual(["one", "onefour"]);
});

test("a reset ends open and new connections until it passes again", async () => {
  const client = await open();
  client.send("one");
  await client.heard("one");
  proxy.set({ kind: "reset" });
  expect(await client.gone()).toBe("ECONNRESET");
  expect(await (await open()).gone()).not.toBe("");
  proxy.set({ kind: "pass" });
  const later = await open();
  later.send("two");
  await later.heard("two");
});

for (const direction of ["to_server", "to_client"] as const) {
  test(`a cut ${direction} lets exactly the given number of bytes through`, async () => {
    const client = await open();
    proxy.set({ kind: "cut", direction, afterBytes: 3 });
    client.send("abcdef");
    await client.gone();
    expect(direction === "to_server" ? received : client.text()).toBe("abc");
  });
}

test("a cut answer: the server gets the bytes, the client gets no answer, other connections work", async () => {
  const [client, other] = [await open(), await open()];
  const cut = proxy.cutAnswerTo("commit");
  other.send("begin");
  await other.heard("begin");
  client.send("commit");
  await cut;
  await client.gone();
  expect([received, client.text()]).toEqual(["begincommit", ""]);
  other.send("commit");
  await other.heard("commit");
});

test("bytes that are held back arrive when released, even if their client is gone", async () => {
  const [client, other] = [await open(), await open()];
  const kept = proxy.keepBack("commit");
  client.send("commit");
  const deliver = await kept;
  for (const socket of clients.splice(0, 1)) socket.destroy();
  await client.gone();
  other.send("commit again");
  await other.heard("commit again");
  expect(received).toBe("commit again");
  deliver();
  while (received === "commit again") await Bun.sleep(1);
  expect(received).toBe("commit againcommit");
});
